import { isAllowed, matches } from './is-allowed.ts'
import type { Statement } from './statement.ts'

/** Where a policy that exists differs from what is needed. */
export interface PolicyDifference {
  /** What is needed and not allowed. */
  readonly missing: readonly PolicyGrant[]
  /** What is allowed and not needed. */
  readonly excess: readonly PolicyGrant[]
}

export interface PolicyGrant {
  readonly action: string
  readonly resource: string
}

/** Compares the statements of a policy with those that are needed; wildcards are read as IAM reads them. */
export function comparePolicies(
  needed: readonly Statement[],
  existing: readonly Statement[],
): PolicyDifference {
  return {
    missing: grantsOf(needed).filter(
      ({ action, resource, context }) => !covers(existing, action, resource, context),
    ),
    excess: grantsOf(existing).filter(
      ({ action, resource, context }) => !isNeeded(needed, action, resource, context),
    ),
  }
}

interface Grant extends PolicyGrant {
  readonly context: Readonly<Record<string, string>>
}

function grantsOf(statements: readonly Statement[]): readonly Grant[] {
  return statements.flatMap(({ Action, Resource, Condition = {} }) => {
    const context = Object.fromEntries(
      Object.values(Condition).flatMap(keys =>
        Object.entries(keys).map(([key, [first = '']]) => [key, first]),
      ),
    )
    return Action.flatMap(action => Resource.map(resource => ({ action, resource, context })))
  })
}

/** A needed pattern is covered by one that is as wide or wider. */
function covers(
  statements: readonly Statement[],
  action: string,
  resource: string,
  context: Readonly<Record<string, string>>,
): boolean {
  return isAllowed(statements, { action, resource, context })
}

/** What exists is needed if nothing of it goes beyond: a wildcard is only needed where the same, or a wider, is. */
function isNeeded(
  needed: readonly Statement[],
  action: string,
  resource: string,
  context: Readonly<Record<string, string>>,
): boolean {
  return needed.some(
    statement =>
      statement.Action.some(each => matches(each.toLowerCase(), action.toLowerCase())) &&
      statement.Resource.some(each => matches(each, resource)) &&
      Object.keys(contextOf(statement)).every(key => key in context),
  )
}

function contextOf({ Condition = {} }: Statement): Readonly<Record<string, unknown>> {
  return Object.assign({}, ...Object.values(Condition))
}
