import { type KnownValues, patternOf } from './known-values.ts'

type Fields = Readonly<Record<string, unknown>>

/** A call that a state makes, with what it is called with. */
export interface Call {
  /** `dynamodb`; of an SDK integration `aws-sdk:dynamodb`. */
  readonly service: string
  readonly action: string
  readonly pattern: 'request' | 'sync' | 'sync:2' | 'waitForTaskToken'
  /** What a parameter can be, with `*` for what only an execution knows; undefined where it is not given. */
  text(...path: readonly string[]): string | undefined
  /** The parameter itself. */
  value(...path: readonly string[]): unknown
  /** The same for a value that is inside a parameter. */
  within(fields: unknown): Pick<Call, 'text' | 'value'>
}

export function createCall(
  { service, action, pattern }: Pick<Call, 'service' | 'action' | 'pattern'>,
  parameters: unknown,
  known: KnownValues,
): Call {
  return { service, action, pattern, ...readerOf(parameters, known), within: inner => readerOf(inner, known) }
}

function readerOf(parameters: unknown, known: KnownValues): Pick<Call, 'text' | 'value'> {
  const find = (path: readonly string[]): readonly [unknown, boolean] => {
    let here: unknown = parameters
    for (const [index, name] of path.entries()) {
      if (!isObject(here)) return [typeof here === 'string' ? here : undefined, false]
      // SDK integrations write names in Pascal case, and some services in camel case.
      const key = [name, camel(name), `${name}.$`, `${camel(name)}.$`].find(each => each in (here as Fields))
      if (key === undefined) return [undefined, false]
      here = here[key]
      if (key.endsWith('.$')) return [index === path.length - 1 ? here : '$', true]
    }
    return [here, false]
  }
  return {
    text: (...path) => {
      const [value, isPath] = find(path)
      return patternOf(value, isPath, known)
    },
    value: (...path) => find(path)[0],
  }
}

function camel(name: string): string {
  return `${name[0]?.toLowerCase()}${name.slice(1)}`
}

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether the state waits for the end of what it starts. */
export function waits({ pattern }: Pick<Call, 'pattern'>): boolean {
  return pattern === 'sync' || pattern === 'sync:2'
}

/** `getItem` → `GetItem`. */
export function pascal(action: string): string {
  return `${action[0]?.toUpperCase()}${action.slice(1)}`
}
