import { RefusedBatchError } from '../row-sink.ts'
import { reasonOf } from './refusal-reasons.ts'
import type { Table } from './table.ts'

interface ServerError {
  readonly message: string
  readonly code: string
  readonly column?: string
  readonly constraint?: string
  readonly where?: string
  /** The server's function that raised it. */
  readonly routine?: string
}

/**
 * The data's fault: values (22), constraints (23), a view's check option (44), a trigger's RAISE (P0001), a value
 * too long for an index (54000), a tsquery's or a jsonpath's syntax (42601: our own statements have none that is
 * wrong), and two rows of one statement that the database holds for the same (21000).
 */
const refused = /^(2[23]|44000|54000|42601|P0001|21000)/

export function isRefusal(error: unknown): error is ServerError {
  const { code, routine } = (error ?? {}) as Partial<ServerError>
  return refused.test(String(code)) || (code === '42501' && routine === policyCheck)
}

/** Raises 42501 for a row that a policy does not allow; a missing privilege is raised elsewhere. */
const policyCheck = 'ExecWithCheckOptions'

/**
 * What a table that is no longer as it was described answers with: binary values of another type, columns that are
 * gone or of a type that nothing casts to.
 */
const outdated = /^(08P01|22P03|42(?!601|501))/

export function isOutdated(error: unknown): boolean {
  const { code } = ((error instanceof RefusedBatchError ? error.cause : error) ?? {}) as Partial<ServerError>
  return outdated.test(String(code))
}

export function isUniqueViolation(error: unknown): boolean {
  return (error as ServerError | undefined)?.code === '23505'
}

export function toRefusedBatch(error: ServerError, table: Table): RefusedBatchError {
  const { code, constraint } = error
  const place = placeInCopy(error.where, table)
  const column = error.column ?? place.column ?? table.constraintColumns.get(constraint ?? '')
  return new RefusedBatchError(
    { reason: reasonOf(error), sqlState: code, column, constraint, suspect: place.row },
    { cause: error },
  )
}

/**
 * `COPY users, line 3, column age: "abc"`. In another language it isn't recognised, and nothing is lost by it. What
 * follows the place is the row's, and may look like another place.
 */
function placeInCopy(
  where = '',
  { columns }: Table,
): { readonly row?: number; readonly column?: string | undefined } {
  const found = /^COPY .*?, line (\d+)/m.exec(where)
  if (!found) return {}
  const [line, number] = found
  const rest = where.slice(found.index + line.length)
  const named = columns.filter(({ name }) => {
    const place = `, column ${name}`
    return rest.startsWith(place) && [':', '\n', undefined].includes(rest[place.length])
  })
  // Of `a` and `a:b`, both of which may be meant, the longer one.
  const [column] = named.map(({ name }) => name).toSorted((a, b) => b.length - a.length)
  return { row: Number(number) - 1, column }
}
