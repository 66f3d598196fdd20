/** One statement of a policy; nothing here denies. */
export interface Statement {
  readonly Sid: string
  readonly Effect: 'Allow'
  readonly Action: readonly string[]
  readonly Resource: readonly string[]
  readonly Condition?: Conditions
}

/** `{ StringEquals: { 'iam:PassedToService': ['ecs-tasks.amazonaws.com'] } }` */
export type Conditions = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>

export interface PolicyDocument {
  readonly Version: '2012-10-17'
  readonly Statement: readonly Statement[]
}

/** A statement, with its Sid as it should be where no other has it. */
export function allow(
  sid: string,
  actions: readonly string[],
  resources: readonly string[],
  conditions?: Conditions,
): Statement {
  return {
    Sid: sid,
    Effect: 'Allow',
    Action: actions,
    Resource: resources,
    ...(conditions && { Condition: conditions }),
  }
}

/** Statements of the same actions, or on the same resources, become one; each Sid is its own. */
export function toDocument(statements: readonly Statement[]): PolicyDocument {
  const byActions = mergeBy(
    statements.map(sorted),
    ({ Action, Condition }) => key(Action, Condition),
    (one, other) => ({ ...one, Resource: union(one.Resource, other.Resource) }),
  )
  const byResources = mergeBy(
    byActions,
    ({ Sid, Resource, Condition }) => key(Resource, Condition, Sid),
    (one, other) => ({ ...one, Action: union(one.Action, other.Action) }),
  )
  const used = new Map<string, number>()
  const named = byResources.map(statement => {
    const count = (used.get(statement.Sid) ?? 0) + 1
    used.set(statement.Sid, count)
    return count === 1 ? statement : { ...statement, Sid: `${statement.Sid}${count}` }
  })
  return { Version: '2012-10-17', Statement: named }
}

function sorted(statement: Statement): Statement {
  return {
    ...statement,
    Action: union(statement.Action, []),
    Resource: union(statement.Resource, []),
  }
}

function mergeBy(
  statements: readonly Statement[],
  keyOf: (statement: Statement) => string,
  merge: (one: Statement, other: Statement) => Statement,
): readonly Statement[] {
  const merged = new Map<string, Statement>()
  for (const statement of statements) {
    const same = keyOf(statement)
    const before = merged.get(same)
    merged.set(same, before === undefined ? statement : merge(before, statement))
  }
  return [...merged.values()]
}

function key(...parts: readonly unknown[]): string {
  return JSON.stringify(parts)
}

/** Both, each once, in order; what `*` covers as a whole is left out. */
function union(one: readonly string[], other: readonly string[]): readonly string[] {
  const all = [...new Set([...one, ...other])].sort()
  return all.includes('*') ? ['*'] : all
}
