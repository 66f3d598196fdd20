import { parseCause } from '@stepwright/errors'
import * as z from 'zod/mini'
import { type FailureCode, failureCode } from './outputs.ts'
import { parseJson } from './parse-json.ts'

/** What a catcher got, and the state that it is of. */
export const stateFailure = z.object({
  state: z.string(),
  Error: z.optional(z.string()),
  Cause: z.optional(z.string()),
})
export type StateFailure = z.infer<typeof stateFailure>

const timeouts = new Set([
  'States.Timeout',
  'States.HeartbeatTimeout',
  'TaskTimeoutError',
  'Sandbox.Timedout',
])

/** The contract's code for what went wrong, and a sentence that says nothing of any row. */
export function describeFailure(failure: StateFailure): { code: FailureCode; message: string } {
  const { state, Error: name = '', Cause = '' } = failure
  const known = z.safeParse(failureCode, name)
  // Our own words: every class with such a name is thrown by this app.
  if (known.success) return { code: known.data, message: parseCause({ Error: name, Cause }).message }
  if (timeouts.has(name)) return { code: 'TIMEOUT', message: `${state} took too long` }
  if (state === 'RunGlueJob') return describeJob(failure)
  if (state === 'UpdateCatalog') {
    return { code: 'CRAWLER_FAILED', message: `the catalog could not be updated (${shown(name)})` }
  }
  if (name === 'ConcurrentExecutionError') {
    return { code: 'IDEMPOTENT_SKIP', message: 'another execution is at work on the partition' }
  }
  return { code: 'UNEXPECTED_ERROR', message: `${state} failed with ${shown(name)}` }
}

const jobRun = z.object({
  Id: z.optional(z.string()),
  JobRunState: z.optional(z.string()),
  ErrorMessage: z.optional(z.string()),
})

/** The id of a job run that failed, where the failure is that of a run. */
export function jobRunOf({ state, Cause = '' }: StateFailure): string | undefined {
  if (state !== 'RunGlueJob') return undefined
  const run = z.safeParse(jobRun, parseJson(Cause))
  const id = run.success ? run.data.Id : undefined
  return id === undefined || shown(id) !== id ? undefined : id
}

/** Spark's messages quote rows; those of this app's own jobs begin with a mark, and do not. */
const ownMessage = /^(?:TransformError: )?transform: ([\x20-\x7e]{1,300})$/

function describeJob({ Error: name = '', Cause = '' }: StateFailure): { code: FailureCode; message: string } {
  const run = z.safeParse(jobRun, parseJson(Cause))
  if (!run.success) return { code: 'GLUE_JOB_FAILED', message: `the job could not be run (${shown(name)})` }
  const { Id = 'unknown', JobRunState = 'FAILED', ErrorMessage = '' } = run.data
  if (JobRunState === 'TIMEOUT') return { code: 'TIMEOUT', message: `the job run ${shown(Id)} took too long` }
  const [, reason] = ownMessage.exec(ErrorMessage) ?? []
  const why = reason === undefined ? '' : `: ${reason}`
  return { code: 'GLUE_JOB_FAILED', message: `the job run ${shown(Id)} ended as ${shown(JobRunState)}${why}` }
}

/** Names and ids, and nothing that could be a text. */
function shown(name: string): string {
  return /^[\w.-]{1,80}$/.test(name) ? name : 'an error without a name'
}
