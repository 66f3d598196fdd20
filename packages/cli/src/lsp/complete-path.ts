import { type KnownField, type Pointer, type Readable, readableAt, type Source } from '@stepwright/asl'
import { jsonataFunctions } from '@stepwright/asl/facts'
import { checkOptionsOf } from '../check-file.ts'
import type { TargetWorkflow } from '../discover.ts'
import { type OpenMachine, offsetOf, type Position } from './document.ts'
import { valueAt } from './state-names.ts'

const kinds = { function: 3, field: 5, variable: 6 } as const

/** A path up to the cursor: `$.order.cu`, `$$.Execution.`, `$states.input.rows[0].`, `$tot`. */
const pathBefore = /\$[$\p{L}\p{N}_.[\]'*]*$/u
const identifier = /^[\p{L}_][\p{L}\p{N}_]*$/u
const maxPathLength = 400

/** The fields that can follow a path, from what is known of the data there; and variables behind a `$`. */
export function completePath(
  machine: OpenMachine,
  position: Position,
  workflow: TargetWorkflow | undefined,
): readonly object[] {
  const { source } = machine
  const offset = offsetOf(source, position)
  const path = pathBefore.exec(source.text.slice(Math.max(0, offset - maxPathLength), offset))?.[0]
  if (path === undefined) return []
  const place = textAt(machine, offset)
  if (place === undefined) return []
  const readable = readableAt(place.source.value, place.pointer, checkOptionsOf(workflow))
  if (readable === undefined) return []
  const begun = path.slice(path.lastIndexOf(path.includes('.') ? '.' : '$') + 1)
  const range = {
    start: { line: position.line, character: position.character - begun.length },
    end: position,
  }
  return candidatesOf(readable, path, place.pointer).flatMap(({ name, kind, detail }) => {
    const isPlain = identifier.test(name)
    if (!isPlain && readable.language !== 'JSONata') return []
    const newText = isPlain ? name : `\`${name}\``
    return [{ label: name, kind: kinds[kind], detail, filterText: newText, textEdit: { range, newText } }]
  })
}

interface Candidate {
  readonly name: string
  readonly kind: keyof typeof kinds
  readonly detail: string
}

function candidatesOf(readable: Readable, path: string, pointer: Pointer): readonly Candidate[] {
  const isJsonata = readable.language === 'JSONata'
  const end = path.lastIndexOf('.')
  if (end === -1) {
    const variables = readable.variables().map(field => toCandidate(field, 'variable'))
    return isJsonata ? [...variables, ...ofEveryExpression] : variables
  }
  const before = path.slice(0, end)
  if (isJsonata && before === '$states') return statesFields(pointer)
  // `$.` is the value in hand to JSONata, and `..` leads anywhere
  if (before.endsWith('.') || (isJsonata && before === '$')) return []
  return readable.fieldsBehind(before).map(field => toCandidate(field, 'field'))
}

function toCandidate({ name, types, isCertain }: KnownField, kind: Candidate['kind']): Candidate {
  const type = types.length === 0 ? 'any' : types.join(' | ')
  return { name, kind, detail: isCertain ? type : `${type}, may be missing` }
}

const ofEveryExpression: readonly Candidate[] = [
  { name: 'states', kind: 'variable', detail: 'input, result, errorOutput, context' },
  ...[...jsonataFunctions.keys()].map(name => ({ name, kind: 'function', detail: 'of JSONata' }) as const),
]

function statesFields(pointer: Pointer): readonly Candidate[] {
  const inCatch = pointer.includes('Catch')
  const afterwards = pointer.includes('Output') || pointer.includes('Assign')
  const names = ['input', 'context', ...(inCatch ? ['errorOutput'] : afterwards ? ['result'] : [])]
  return names.map(name => ({ name, kind: 'field', detail: '' }))
}

/** The text that the cursor is in, in the document as it would be if that text were finished. */
function textAt(machine: OpenMachine, offset: number): { source: Source; pointer: Pointer } | undefined {
  for (const finished of finishedTexts(machine, offset)) {
    if (finished === undefined) continue
    const { pointer, part } = finished.find(offset)
    const isText = part === 'value' && typeof valueAt(finished.value, pointer) === 'string'
    if (!finished.broken && isText) return { source: finished, pointer }
  }
  return undefined
}

function* finishedTexts({ source, reread }: OpenMachine, offset: number): Generator<Source | undefined> {
  yield source
  const { text } = source
  for (const end of ['"', '",', "'"]) yield reread(`${text.slice(0, offset)}${end}${text.slice(offset)}`)
}
