/**
 * What happens to a row whose key is already in the table.
 * - `insert`: it is refused and counts as rejected.
 * - `ignore`: the stored row stays as it is.
 * - `update`: the columns named take the new values. Of chunks that are written at the same time, or again, the last
 *   to be committed would win; `newest` names columns that say which row is the newer one, compared together: one that
 *   is older than the stored row changes nothing.
 * - `increment`: the columns named are added to, those under `update` take the new values.
 * - `replace`: as `insert`, after all rows of the chunk's scope were deleted, once per job.
 */
export type Conflict<Column extends string = string> =
  | { readonly mode: 'insert' }
  | { readonly mode: 'ignore'; readonly key: readonly Column[] }
  | {
      readonly mode: 'update'
      readonly key: readonly Column[]
      readonly columns: readonly Column[]
      readonly newest?: readonly Column[]
    }
  | {
      readonly mode: 'increment'
      readonly key: readonly Column[]
      readonly columns: readonly Column[]
      readonly update?: readonly Column[]
    }
  | { readonly mode: 'replace'; readonly scope: readonly Column[] }

/** The modes that resolve a conflict by key. */
export type KeyedConflict<Column extends string = string> = Extract<
  Conflict<Column>,
  { key: readonly Column[] }
>

export function isKeyed<Column extends string>(
  conflict: Conflict<Column>,
): conflict is KeyedConflict<Column> {
  return 'key' in conflict
}

/** The columns that a conflict overwrites with the new values, and those it adds to. */
export function changedColumns(conflict: KeyedConflict): {
  readonly update: readonly string[]
  readonly increment: readonly string[]
  /** Those of the overwritten columns that say which row is newer. */
  readonly newest: readonly string[]
} {
  const newest = conflict.mode === 'update' ? (conflict.newest ?? []) : []
  switch (conflict.mode) {
    case 'ignore':
      return { update: [], increment: [], newest }
    case 'update':
      return {
        update: [...conflict.columns, ...newest.filter(column => !conflict.columns.includes(column))],
        increment: [],
        newest,
      }
    case 'increment':
      return { update: conflict.update ?? [], increment: conflict.columns, newest }
  }
}

/** Refuses a conflict that names columns which are not written, or one column for two purposes. */
export function assertConflict(conflict: Conflict, columns: readonly string[]): void {
  const named = namedColumns(conflict)
  for (const [index, column] of named.entries()) {
    if (!columns.includes(column)) refuse(conflict, `column "${column}" must be one of those written`)
    if (named.indexOf(column) !== index) refuse(conflict, `column "${column}" must be named once`)
  }
  if (isKeyed(conflict) && conflict.key.length === 0) refuse(conflict, 'the key must name a column')
  if (conflict.mode === 'replace' && conflict.scope.length === 0)
    refuse(conflict, 'the scope must name a column')
}

function namedColumns(conflict: Conflict): readonly string[] {
  if (conflict.mode === 'replace') return conflict.scope
  if (!isKeyed(conflict)) return []
  const { update, increment } = changedColumns(conflict)
  return [...conflict.key, ...update, ...increment]
}

function refuse(conflict: Conflict, reason: string): never {
  throw new TypeError(`conflict mode "${conflict.mode}": ${reason}`)
}
