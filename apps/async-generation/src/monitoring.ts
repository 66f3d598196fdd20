import type { AppDeclaration } from '@stepwright/app'
import { jobMetrics } from '@stepwright/progress/metrics'
import * as functions from './functions/index.ts'

// The metrics and alarms of the design, and what the model was given and wrote.

export const metrics: NonNullable<AppDeclaration['metrics']> = {
  ...jobMetrics({
    starts: [functions.AsyncProcessingHandler, functions.RetryHandler],
    ends: [functions.UpdateProcessingState, functions.EndStuckJobs],
    watches: [functions.WatchJobs],
  }),
  InputTokens: { description: 'What the model was given.', by: [functions.AIGenerationWorker] },
  OutputTokens: { description: 'What the model wrote.', by: [functions.AIGenerationWorker] },
}

export const alarms: NonNullable<AppDeclaration['alarms']> = {
  ErrorRate: {
    description: 'More than 5 % of the generations failed: look at the errors of the worker.',
    runbook: 'docs/runbooks/error-rate.md',
    metric: { metric: 'AsyncProcessingFailed', percentOf: 'AsyncProcessingStarted' },
    above: 5,
  },
  TimeoutRate: {
    description: 'More than 10 % of the generations took too long: look at the latency of the model.',
    runbook: 'docs/runbooks/timeout-rate.md',
    metric: { metric: 'AsyncProcessingTimeout', percentOf: 'AsyncProcessingStarted' },
    above: 10,
  },
  SlowProcessing: {
    description: 'Generations take more than 5 minutes on average: look at the latency of the model.',
    runbook: 'docs/runbooks/slow.md',
    metric: { metric: 'ProcessingDuration' },
    statistic: 'average',
    above: 300_000,
  },
  DeepQueue: {
    description: 'More than 100 generations wait: the workers are too few, or none is launched.',
    runbook: 'docs/runbooks/queue-depth.md',
    metric: { metric: 'QueueDepth' },
    statistic: 'maximum',
    above: 100,
  },
}
