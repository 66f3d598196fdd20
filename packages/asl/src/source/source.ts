import type { Json } from '../language.ts'
import type { Pointer } from './pointer.ts'

/** Where a value stands in the text; lines and columns count from 1, offsets from 0 in UTF-16 units. */
export interface Location {
  readonly line: number
  readonly column: number
  readonly endLine: number
  readonly endColumn: number
  readonly start: number
  readonly end: number
}

/** Something that is wrong with the text itself. */
export interface SourceProblem {
  readonly kind: 'syntax' | 'duplicate-key'
  readonly message: string
  readonly pointer: Pointer
  readonly location: Location
}

/** A parsed document that knows where each of its values stands. */
export interface Source {
  /** The file's name as findings show it. */
  readonly file: string
  readonly format: 'json' | 'yaml'
  readonly text: string
  /** The document; of a key given twice, the last one counts. */
  readonly value: Json
  readonly problems: readonly SourceProblem[]
  /** `true` when the text could not be read to its end, so that `value` is only a part. */
  readonly broken: boolean
  /** The place of a value (or, with `'key'`, of its key); of its nearest ancestor where there is none. */
  locate(pointer: Pointer, part?: 'value' | 'key'): Location
  /** The place of a stretch of the text. */
  place(start: number, end: number): Location
  /** What stands at an offset: the innermost value there, or its key. */
  find(offset: number): { readonly pointer: Pointer; readonly part: 'key' | 'value' }
}

/** A value's range in the text, its key's range, and its children. */
export interface SourceNode {
  start: number
  end: number
  keyStart?: number | undefined
  keyEnd?: number | undefined
  children?: Children | undefined
}

export type Children = Map<string | number, SourceNode>

/** A problem by offsets, before lines are known. */
export type ProblemAt = Omit<SourceProblem, 'location'> & { readonly start: number; readonly end: number }

export interface SourceParts {
  readonly file: string
  readonly format: 'json' | 'yaml'
  readonly text: string
  readonly value: Json
  readonly root: SourceNode
  readonly problems: readonly ProblemAt[]
  readonly broken: boolean
  /** Finds the children of a node that was read without them. */
  readonly findChildren?: (node: SourceNode) => Children
}

export function createSource(parts: SourceParts): Source {
  let lineStarts: readonly number[] | undefined
  const toLocation = (start: number, end: number): Location => {
    lineStarts ??= findLineStarts(parts.text)
    const [line, column] = lineAndColumn(lineStarts, start)
    const [endLine, endColumn] = lineAndColumn(lineStarts, end)
    return { line, column, endLine, endColumn, start, end }
  }
  return {
    file: parts.file,
    format: parts.format,
    text: parts.text,
    value: parts.value,
    broken: parts.broken,
    problems: parts.problems.map(({ start, end, ...problem }) => ({
      ...problem,
      location: toLocation(start, end),
    })),
    place: toLocation,
    find: offset => findAt(parts, offset),
    locate(pointer, part = 'value') {
      let node = parts.root
      let reached = true
      for (const key of pointer) {
        const child = childrenOf(node, parts)?.get(key)
        if (child === undefined) {
          reached = false
          break
        }
        node = child
      }
      if ((part === 'key' || !reached) && node.keyStart !== undefined && node.keyEnd !== undefined) {
        return toLocation(node.keyStart, node.keyEnd)
      }
      return toLocation(node.start, node.end)
    },
  }
}

function childrenOf(node: SourceNode, { findChildren }: SourceParts): Children | undefined {
  node.children ??= findChildren?.(node)
  return node.children
}

function findAt(parts: SourceParts, offset: number): { pointer: Pointer; part: 'key' | 'value' } {
  const pointer: (string | number)[] = []
  let around = childAt(parts.root, offset, parts)
  while (around !== undefined) {
    const [key, child] = around
    pointer.push(key)
    if (child.keyEnd !== undefined && offset <= child.keyEnd) return { pointer, part: 'key' }
    around = childAt(child, offset, parts)
  }
  return { pointer, part: 'value' }
}

function childAt(
  node: SourceNode,
  offset: number,
  parts: SourceParts,
): readonly [string | number, SourceNode] | undefined {
  for (const entry of childrenOf(node, parts) ?? []) {
    const [, { keyStart, start, end }] = entry
    if (offset >= (keyStart ?? start) && offset <= end) return entry
  }
  return undefined
}

function findLineStarts(text: string): readonly number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

function lineAndColumn(lineStarts: readonly number[], offset: number): readonly [number, number] {
  let low = 0
  let high = lineStarts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((lineStarts[middle] ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return [low + 1, offset - (lineStarts[low] ?? 0) + 1]
}
