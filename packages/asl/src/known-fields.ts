import type { CheckOptions } from './check-workflow.ts'
import type { Observer } from './flow/analyze.ts'
import type { JsonType, Shape } from './flow/shape.ts'
import { followData } from './follow-data.ts'
import { isArray, isObject } from './json.ts'
import type { Json, QueryLanguage } from './language.ts'
import { buildMachine, type StateNode, statesOf } from './machine/machine.ts'
import { formatPointer, type Pointer } from './source/pointer.ts'

/** A field of the data, or a variable, as far as it is known before anything runs. */
export interface KnownField {
  readonly name: string
  /** Empty where it can be anything. */
  readonly types: readonly JsonType[]
  /** Whether it is there on every way to where it is read. */
  readonly isCertain: boolean
}

/** What an expression at a place of a definition can read. */
export interface Readable {
  readonly language: QueryLanguage
  /** The fields behind a path that stands there alone, such as `$.order` or `$states.input.rows[0]`. */
  fieldsBehind(path: string): readonly KnownField[]
  /** The variables that are assigned when the state is reached. */
  variables(): readonly KnownField[]
}

/** Follows the data of a definition to one of its places; undefined where no state is. */
export function readableAt(
  definition: Json,
  pointer: Pointer,
  options: CheckOptions = {},
): Readable | undefined {
  const state = stateAround(definition, pointer)
  if (state === undefined) return undefined
  return {
    language: state.language,
    fieldsBehind(path) {
      const text = state.language === 'JSONata' ? `{% ${path} %}` : path
      const shapes: Shape[] = []
      const at = formatPointer(pointer)
      follow(withValue(definition, pointer, text), options, (_, reads) => {
        for (const read of reads) {
          const isMeant = formatPointer(read.pointer) === at && read.access.presence !== 'never'
          if (isMeant) shapes.push(read.access.shape)
        }
      })
      const isMany = state.language === 'JSONata' || path.includes('*') || path.includes('..')
      return merge(shapes.map(shape => fieldsOf(shape, isMany)))
    },
    variables() {
      const shapes: Shape[] = []
      const at = formatPointer(state.pointer)
      follow(definition, options, ({ pointer: reached }, _, variables) => {
        if (formatPointer(reached) === at) shapes.push(variables)
      })
      return merge(shapes.map(shape => fieldsOf(shape, false)))
    },
  }
}

function follow(definition: Json, options: CheckOptions, onRun: NonNullable<Observer['onRun']>): void {
  const machine = buildMachine(definition)
  if (machine !== undefined) followData(machine, options, { onRun })
}

/** The innermost state that a place is in. */
function stateAround(definition: Json, pointer: Pointer): StateNode | undefined {
  const machine = buildMachine(definition)
  const around = (machine ? statesOf(machine) : []).filter(state =>
    state.pointer.every((key, index) => key === pointer[index]),
  )
  return around.toSorted((a, b) => b.pointer.length - a.pointer.length)[0]
}

function withValue(value: Json, [key, ...rest]: Pointer, replacement: string): Json {
  if (key === undefined) return replacement
  if (isArray(value))
    return value.map((item, index) => (index === key ? withValue(item, rest, replacement) : item))
  if (!isObject(value)) return value
  return { ...value, [key]: withValue(value[key] ?? null, rest, replacement) }
}

function fieldsOf(shape: Shape, ofItems: boolean): readonly KnownField[] {
  if (shape.kind === 'unknown') return []
  const own = [...(shape.object?.fields ?? [])].filter(([, { presence }]) => presence !== 'never')
  const fields = own.map(([name, field]) => ({
    name,
    types: field.shape.kind === 'unknown' ? [] : [...field.shape.types],
    isCertain: field.presence === 'always',
  }))
  if (!ofItems || shape.array === undefined) return fields
  const ofEach = fieldsOf(shape.array.items, ofItems)
  return shape.object === undefined ? ofEach : merge([fields, ofEach])
}

/** Of several ways to the same place: what only some of them bring is not certain. */
function merge(ways: readonly (readonly KnownField[])[]): readonly KnownField[] {
  const names = new Set(ways.flat().map(({ name }) => name))
  return [...names].map(name => {
    const found = ways.map(fields => fields.find(field => field.name === name))
    return {
      name,
      types: [...new Set(found.flatMap(field => field?.types ?? []))],
      isCertain: found.every(field => field?.isCertain),
    }
  })
}
