import { defineApp } from '@stepwright/app'
import * as z from 'zod/mini'
import * as functions from './functions/index.ts'
import * as resources from './resources.ts'

/** The whole app: `check`, `dev`, the tests and the deployment read this declaration. */
export const app = defineApp({
  name: '{{name}}',
  root: new URL('..', import.meta.url),
  resources,
  functions,
  migratedBy: functions.MigrateDatabase,
  workflows: [[resources.report, { definition: 'report.asl.json', input: z.object({ jobId: z.string() }) }]],
  routes: {
    'POST /jobs': functions.StartJob,
    'GET /jobs/{jobId}': functions.GetJob,
    'GET /jobs/{jobId}/events': functions.FollowJob,
    'POST /jobs/{jobId}/cancel': functions.CancelJob,
  },
  triggers: {
    EveryMinute: { schedule: 'rate(1 minute)', input: {}, calls: functions.EndStuckJobs },
  },
})
