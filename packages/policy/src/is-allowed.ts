import type { Conditions, Statement } from './statement.ts'

/** What somebody wants to do. */
export interface AccessRequest {
  readonly action: string
  /** An ARN, or `*` for an action that has no resource. */
  readonly resource: string
  /** What conditions are about: `{ 's3:prefix': 'data/' }`. @default none */
  readonly context?: Readonly<Record<string, string>>
}

/** Whether statements allow a request, as IAM decides it. */
export function isAllowed(
  statements: readonly Statement[],
  { action, resource, context = {} }: AccessRequest,
): boolean {
  return statements.some(
    ({ Action, Resource, Condition }) =>
      Action.some(pattern => matches(pattern.toLowerCase(), action.toLowerCase())) &&
      Resource.some(pattern => matches(pattern, resource)) &&
      meets(Condition, context),
  )
}

const patterns = new Map<string, RegExp>()

/** Whether a text fits a pattern of IAM: `*` is any text, `?` any character. */
export function matches(pattern: string, text: string): boolean {
  let expression = patterns.get(pattern)
  if (expression === undefined) {
    const escaped = pattern.replaceAll(/[\\^$.+()|[\]{}]/g, String.raw`\$&`)
    expression = new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`, 's')
    if (patterns.size > 10_000) patterns.clear()
    patterns.set(pattern, expression)
  }
  return expression.test(text)
}

type Test = (given: string, wanted: readonly string[]) => boolean

function isLike(given: string, wanted: readonly string[]): boolean {
  return wanted.some(pattern => matches(pattern, given))
}
function isOneOf(given: string, wanted: readonly string[]): boolean {
  return wanted.includes(given)
}

/** Those that are compared here; what another one demands is not taken for granted. */
const operators: Readonly<Record<string, Test>> = {
  ArnEquals: isLike,
  ArnLike: isLike,
  Bool: isOneOf,
  StringEquals: isOneOf,
  StringLike: isLike,
}

function meets(conditions: Conditions = {}, context: Readonly<Record<string, string>>): boolean {
  return Object.entries(conditions).every(([operator, keys]) =>
    Object.entries(keys).every(([key, wanted]) => {
      const given = context[key]
      return given !== undefined && (operators[operator]?.(given, wanted) ?? false)
    }),
  )
}
