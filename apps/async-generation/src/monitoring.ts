import { jobAlarms, jobMetrics } from '@stepwright/progress/metrics'
import * as functions from './functions/index.ts'

export const metrics = {
  ...jobMetrics({
    starts: [functions.AsyncProcessingHandler, functions.RetryHandler],
    ends: [functions.UpdateProcessingState, functions.EndStuckJobs],
    watches: [functions.WatchJobs],
  }),
  InputTokens: { description: 'What the model was given.', by: [functions.AIGenerationWorker] },
  OutputTokens: { description: 'What the model wrote.', by: [functions.AIGenerationWorker] },
}

/** The limits of the design. */
export const alarms = jobAlarms({
  failedPercent: 5,
  timeoutPercent: 10,
  averageSeconds: 300,
  waiting: 100,
  runbooks: 'docs/runbooks/',
})
