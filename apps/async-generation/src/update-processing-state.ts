import { updateStatus } from '@stepwright/progress/tasks'
import { asDesigned } from './errors.ts'

/** Moves a job along for the state machine. */
export const updateProcessingState = asDesigned(updateStatus)
