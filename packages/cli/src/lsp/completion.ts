import { fieldsAt, type Pointer, type Source, valuesAt } from '@stepwright/asl'
import type { TargetWorkflow } from '../discover.ts'
import { completePath } from './complete-path.ts'
import { type OpenMachine, offsetOf, type Position, placeAt } from './document.ts'
import { knownErrors } from './known-errors.ts'
import { machineAt, statesOf } from './state-names.ts'

const kinds = { field: 5, value: 12, state: 18, error: 20 } as const // Field, Value, Reference, EnumMember

/** How far back a place is told from the text before it. */
const reach = 20_000
/** How long a field and what is typed of its value may be. */
const valueReach = 400

const leadsTo = /"?(?:Next|Default|StartAt)"?\s*:\s*["']?[^"',\n]*$/

/** What can stand at a position: names of states or of errors, types, resources, fields, paths and variables. */
export function completionsOf(
  machine: OpenMachine,
  position: Position,
  workflow: TargetWorkflow | undefined,
): readonly object[] {
  const { source, whole } = machine
  const offset = offsetOf(source, position)
  const before = source.text.slice(Math.max(0, offset - reach), offset)
  if (leadsTo.test(before.slice(-valueReach))) {
    const { pointer } = placeAt(whole, position)
    const names = statesOf(whole, machineAt(pointer))
    return names.map(label => ({ label, kind: kinds.state }))
  }
  if (isInErrors(before)) {
    return knownErrors(workflow).map(({ name, about }) => ({
      label: name,
      kind: kinds.error,
      documentation: about,
    }))
  }
  const paths = completePath(machine, position, workflow)
  if (paths.length > 0) return paths
  return completeValue(machine, position, workflow) ?? completeField(machine, position) ?? []
}

/** Whether a text ends inside the brackets of ErrorEquals, or behind one of its dashes in YAML. */
function isInErrors(before: string): boolean {
  const start = before.lastIndexOf('ErrorEquals')
  if (start === -1) return false
  const key = /^ErrorEquals["']?\s*:/.exec(before.slice(start))?.[0]
  if (key === undefined) return false
  const list = before.slice(start + key.length)
  if (/^\s*\[[^\]{}]*$/.test(list)) return true
  const [rest = '', ...lines] = list.split('\n')
  return lines.length > 0 && rest.trim() === '' && lines.every(line => /^\s*(?:-[^:{[]*)?$/.test(line))
}

const partOfValue = /(?<![\w.:{}$-])[\w.:{}$-]*$/

/** A value that is one of a few. */
function completeValue(
  machine: OpenMachine,
  position: Position,
  workflow: TargetWorkflow | undefined,
): readonly object[] | undefined {
  const { source } = machine
  const offset = offsetOf(source, position)
  const line = source.text.slice(source.text.lastIndexOf('\n', offset - 1) + 1, offset)
  if (!/"?\w+"?\s*:\s*["']?[\w.:{}$-]*$/.test(line.slice(-valueReach))) return undefined
  const found = finished(machine, offset, ['', '"', '",', 'null', "'"], pointerOfValue)
  if (found === undefined) return undefined
  const { pointer, value } = found
  const functions =
    pointer.at(-1) === 'Resource' ? Object.keys(workflow?.tasks ?? {}).map(name => `\${${name}}`) : []
  const values = [...functions, ...valuesAt(value, pointer)]
  if (values.length === 0) return undefined
  const begun = partOfValue.exec(line)?.[0] ?? ''
  return values.map(newText => ({
    label: newText,
    kind: kinds.value,
    filterText: newText,
    textEdit: { range: rangeBefore(position, begun.length), newText },
  }))
}

/** A field that the object may have. */
function completeField(machine: OpenMachine, position: Position): readonly object[] | undefined {
  const { source } = machine
  const offset = offsetOf(source, position)
  const line = source.text.slice(source.text.lastIndexOf('\n', offset - 1) + 1, offset)
  const isKey = source.format === 'yaml' ? /^\s*(?:-\s+)*\w*$/.test(line) : /(?:^|[{,])\s*"\w*$/.test(line)
  const inFlow = /[{,]\s*"?\w*$/.test(line)
  if (!isKey && !inFlow) return undefined
  const ends =
    source.format === 'yaml' ? ['x: ', 'x: ,', 'x": 0', 'x": 0,'] : ['x": 0', 'x": 0,', 'x"', 'x",']
  const isClosed = source.text[offset] === '"'
  const found = finished(machine, offset, ends, pointerOfKey, isClosed ? 1 : 0)
  if (found === undefined) return undefined
  const begun = /(?<!\w)\w*$/.exec(line)?.[0] ?? ''
  const fields = fieldsAt(found.value, found.pointer)
  return fields.map(newText => ({
    label: newText,
    kind: kinds.field,
    filterText: newText,
    textEdit: { range: rangeBefore(position, begun.length), newText },
  }))
}

function rangeBefore(position: Position, length: number): object {
  return { start: { ...position, character: position.character - length }, end: position }
}

type FindPlace = (source: Source, offset: number) => Pointer | undefined

/** Where a position is in the text as it would be if what one types were finished. */
function finished(
  { source, reread }: OpenMachine,
  offset: number,
  ends: readonly string[],
  find: FindPlace,
  /** Characters that stand there already, and would come twice. */
  closed = 0,
): { readonly value: Source['value']; readonly pointer: Pointer } | undefined {
  const { text } = source
  for (const end of ends) {
    const isAsItIs = end === '' && closed === 0
    const read = isAsItIs ? source : reread(text.slice(0, offset) + end + text.slice(offset + closed))
    const pointer = read === undefined || read.broken ? undefined : find(read, offset)
    if (read !== undefined && pointer !== undefined) return { value: read.value, pointer }
  }
  return undefined
}

function pointerOfValue(source: Source, offset: number): Pointer | undefined {
  const { pointer, part } = source.find(offset)
  const key = pointer.at(-1)
  return part === 'value' && typeof key === 'string' ? pointer : undefined
}

function pointerOfKey(source: Source, offset: number): Pointer | undefined {
  const { pointer, part } = source.find(offset)
  return part === 'key' ? pointer.slice(0, -1) : undefined
}
