import { type Location, type Pointer, parseDefinition, type Source } from '@stepwright/asl'

/** A place as the protocol counts it: lines and UTF-16 units, both from 0. */
export interface Position {
  readonly line: number
  readonly character: number
}

export interface Range {
  readonly start: Position
  readonly end: Position
}

/** A definition that is open in an editor. */
export interface OpenDocument {
  readonly uri: string
  readonly source: Source
  /** The last text that could be read to its end: what an unfinished one is completed from. */
  readonly whole: Source
}

export function openDocument(uri: string, file: string, text: string, before?: OpenDocument): OpenDocument {
  const source = parseDefinition(text, { file })
  return { uri, source, whole: source.broken ? (before?.whole ?? source) : source }
}

export function toRange({
  line,
  column,
  endLine,
  endColumn,
}: Pick<Location, 'line' | 'column' | 'endLine' | 'endColumn'>): Range {
  return {
    start: { line: line - 1, character: column - 1 },
    end: { line: endLine - 1, character: endColumn - 1 },
  }
}

/** The whole text. */
export function wholeRange({ text, place }: Source): Range {
  return toRange(place(0, text.length))
}

export function offsetOf({ text }: Source, { line, character }: Position): number {
  let start = 0
  for (let passed = 0; passed < line; passed += 1) {
    const end = text.indexOf('\n', start)
    if (end === -1) return text.length
    start = end + 1
  }
  return Math.min(text.length, start + character)
}

/** What stands at a position: the innermost value or key there. */
export function placeAt(source: Source, position: Position): { pointer: Pointer; part: 'key' | 'value' } {
  return source.find(offsetOf(source, position))
}
