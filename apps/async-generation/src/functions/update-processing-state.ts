import { lambda } from '@stepwright/app/functions'
import { resultOfParts } from '@stepwright/progress/bindings'
import { toResult } from '../generation.ts'
import { updateProcessingState } from '../update-processing-state.ts'
import { jobPorts } from './bindings.ts'

export const UpdateProcessingState = lambda(
  updateProcessingState,
  { ...jobPorts, resultOf: resultOfParts(jobPorts.jobs, toResult) },
  { timeoutSeconds: 25 },
)
