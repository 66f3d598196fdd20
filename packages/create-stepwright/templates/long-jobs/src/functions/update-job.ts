import { lambda } from '@stepwright/app/functions'
import { resultOfParts } from '@stepwright/progress/bindings'
import { updateStatus } from '@stepwright/progress/tasks'
import { jobs } from '../jobs.ts'

/** Moves a job along for the state machine. Its result are its chapters, in their order. */
export const UpdateJob = lambda(updateStatus, { jobs, resultOf: resultOfParts(jobs) }, { timeoutSeconds: 25 })
