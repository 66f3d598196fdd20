import { defineApp } from '@stepwright/app'
import * as z from 'zod/mini'
import { accept } from './accepted-findings.ts'
import * as functions from './functions/index.ts'
import { alarms, metrics } from './monitoring.ts'
import * as resources from './resources.ts'

/** How long processes are kept. */
const retentionDays = 90

export const app = defineApp({
  name: 'async-generation',
  root: new URL('..', import.meta.url),
  resources,
  functions,
  migratedBy: functions.MigrateDatabase,
  workflows: [
    [
      resources.generation,
      { definition: 'generation.asl.json', input: z.object({ jobId: z.string() }), accept },
    ],
  ],
  routes: {
    'POST /api/ai/async/generate': functions.AsyncProcessingHandler,
    'GET /api/ai/async': functions.ListHandler,
    'GET /api/ai/async/status/{processId}': functions.StatusCheckHandler,
    'GET /api/ai/async/status/{processId}/events': functions.EventsHandler,
    'POST /api/ai/async/retry/{processId}': functions.RetryHandler,
    'POST /api/ai/async/cancel/{processId}': functions.CancelHandler,
  },
  site: { directory: 'web' },
  triggers: {
    ExecutionEnded: {
      event: {
        source: ['aws.states'],
        'detail-type': ['Step Functions Execution Status Change'],
        detail: { status: ['SUCCEEDED', 'FAILED', 'TIMED_OUT', 'ABORTED'] },
      },
      calls: functions.LaunchWaiting,
    },
    Launch: { schedule: 'rate(1 minute)', calls: functions.LaunchWaiting },
    Reap: { schedule: 'rate(1 minute)', input: {}, calls: functions.EndStuckJobs },
    Watch: { schedule: 'rate(1 minute)', input: {}, calls: functions.WatchJobs },
    Purge: { schedule: 'rate(1 day)', input: { retentionDays }, calls: functions.PurgeJobs },
    PurgeKeys: { schedule: 'rate(1 day)', input: {}, calls: functions.PurgeKeys },
  },
  metrics,
  alarms,
})
