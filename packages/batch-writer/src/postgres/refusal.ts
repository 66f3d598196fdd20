import { RefusedBatchError } from '../row-sink.ts'
import { reasonOf } from './refusal-reasons.ts'
import type { Table } from './table.ts'

interface ServerError {
  readonly message: string
  readonly code: string
  readonly column?: string
  readonly constraint?: string
  readonly where?: string
}

/**
 * The data's fault: values (22), constraints (23), a view's check option (44), a trigger's RAISE (P0001), a value
 * too long for an index (54000), a tsquery's or a jsonpath's syntax (42601: our own statements have none that is
 * wrong), and two rows of one statement that the database holds for the same (21000).
 */
const refused = /^(2[23]|44000|54000|42601|P0001|21000)/

export function isRefusal(error: unknown): error is ServerError {
  return refused.test(String((error as ServerError | undefined)?.code))
}

/**
 * What a table that is no longer as it was described answers with: binary values of another type, columns that are
 * gone or of a type that nothing casts to.
 */
const outdated = /^(08P01|22P03|42(?!601))/

export function isOutdated(error: unknown): boolean {
  const { code } = ((error instanceof RefusedBatchError ? error.cause : error) ?? {}) as Partial<ServerError>
  return outdated.test(String(code))
}

export function isUniqueViolation(error: unknown): boolean {
  return (error as ServerError | undefined)?.code === '23505'
}

export function toRefusedBatch(error: ServerError, table: Table): RefusedBatchError {
  const { code, constraint } = error
  const place = placeInCopy(error.where)
  const column = error.column ?? place.column ?? table.constraintColumns.get(constraint ?? '')
  return new RefusedBatchError(
    { reason: reasonOf(error), sqlState: code, column, constraint, suspect: place.row },
    { cause: error },
  )
}

/** `COPY users, line 3, column age: "abc"`. In another language it isn't recognised, and nothing is lost by it. */
function placeInCopy(where = ''): { readonly row?: number; readonly column?: string } {
  const found = /^COPY .*, line (\d+)(?:, column ([^:]+))?/m.exec(where)
  if (!found) return {}
  const [, line, column] = found
  return { row: Number(line) - 1, ...(column === undefined ? {} : { column }) }
}
