import * as z from 'zod/mini'
import { transformInput } from './transform-input.ts'

const { domain, table_name, ds, execution_id } = transformInput.shape
const parts = z.object({
  domain: z.catch(z.optional(domain), undefined),
  table_name: z.catch(table_name, undefined),
  table: z.catch(table_name, undefined),
  ds: z.catch(ds, undefined),
  execution_id: z.catch(execution_id, undefined),
})

/**
 * What ties together everything that is said of an execution: its `execution_id`, `domain:table:ds` for one day, or
 * `domain:table:` and the execution's name. Also for an input that is wrong: then of as much of it as is right.
 */
export function correlationIdOf(input: unknown, executionName: string, day?: string): string {
  const result = z.safeParse(parts, input)
  if (!result.success) return executionName
  const given = result.data
  if (given.execution_id !== undefined) return given.execution_id
  const table = given.table_name ?? given.table
  if (given.domain === undefined || table === undefined) return executionName
  return `${given.domain}:${table}:${day ?? given.ds ?? executionName}`
}

/** What every line of a function's log has: the correlation id of its event, or of the input in it. */
export function logFields(event: unknown): Readonly<Record<string, unknown>> {
  const { correlationId, input, executionName } = Object(event)
  return { correlationId: correlationId ?? correlationIdOf(input, String(executionName)) }
}
