import { uuidOf } from './uuid-of.ts'

/**
 * The id of a job's retry: a UUID made from the job's own id, so that two clicks, or a call that is repeated
 * because its answer was lost, give one retry.
 */
export function toRetryId(id: string): string {
  return uuidOf(`@stepwright/progress retry of ${id}`)
}
