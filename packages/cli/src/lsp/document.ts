import {
  findMachines,
  isTemplate,
  type Location,
  type Pointer,
  parseDefinition,
  type Source,
} from '@stepwright/asl'

/** A place as the protocol counts it: lines and UTF-16 units, both from 0. */
export interface Position {
  readonly line: number
  readonly character: number
}

export interface Range {
  readonly start: Position
  readonly end: Position
}

/** A definition in a document that is open in an editor: the document itself, or a state machine of a template. */
export interface OpenMachine {
  readonly uri: string
  readonly source: Source
  /** The last text that could be read to its end: what an unfinished one is completed from. */
  readonly whole: Source
  /** What the template calls it, and its type. */
  readonly logicalId?: string | undefined
  readonly type?: 'STANDARD' | 'EXPRESS' | undefined
  /** The same machine as it would be in another text. */
  readonly reread: (text: string) => Source | undefined
}

/** A document that is open in an editor. It is read when somebody wants to know what it says, not while one types. */
export interface OpenDocument {
  readonly uri: string
  readonly machines: () => readonly OpenMachine[]
  /** The last text of it that was read to its end. */
  readonly lastWhole: () => Source | undefined
}

export function openDocument(uri: string, file: string, text: string, before?: OpenDocument): OpenDocument {
  let read: { readonly source: Source; readonly machines: readonly OpenMachine[] } | undefined
  const open = (): NonNullable<typeof read> => {
    if (read !== undefined) return read
    const source = parseDefinition(text, { file })
    const whole = source.broken ? (before?.lastWhole() ?? source) : source
    const reread = (other: string, logicalId: string | undefined): Source | undefined => {
      const parsed = parseDefinition(other, { file })
      return machinesIn(parsed).find(machine => machine.logicalId === logicalId)?.source
    }
    const machines = machinesIn(whole).map(({ source: own, ...machine }) => ({
      ...machine,
      uri,
      source: source.broken ? source : own,
      whole: own,
      reread: (other: string) => reread(other, machine.logicalId),
    }))
    read = { source, machines }
    return read
  }
  return {
    uri,
    machines: () => open().machines,
    lastWhole: () => {
      // What was never asked for is not read only to be forgotten.
      if (read === undefined) return before?.lastWhole()
      return read.source.broken ? before?.lastWhole() : read.source
    },
  }
}

type MachineInText = Pick<OpenMachine, 'source' | 'logicalId' | 'type'>

function machinesIn(source: Source): readonly MachineInText[] {
  if (source.broken || !isTemplate(source.value)) return [{ source }]
  return findMachines(source).flatMap(({ logicalId, type, source: own }) =>
    own === undefined ? [] : [{ logicalId, type, source: own }],
  )
}

/** The machine that a position is in. */
export function machineAround(document: OpenDocument, position: Position): OpenMachine | undefined {
  const machines = document.machines()
  const [first] = machines
  if (first === undefined || first.logicalId === undefined) return first
  const offset = offsetOf(first.source, position)
  return machines.find(({ whole }) => {
    const { start, end } = whole.locate([])
    return offset >= start && offset <= end
  })
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

export function offsetOf({ text }: Pick<Source, 'text'>, { line, character }: Position): number {
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
