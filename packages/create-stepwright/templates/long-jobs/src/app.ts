import { defineApp } from '@stepwright/app'
import { cancelJob, endStuckJobs, followJob, getJob, updateStatus } from '@stepwright/progress/tasks'
import { toJSONSchema } from 'zod'
import * as z from 'zod/mini'
import { migrateDatabase } from './migrate-database.ts'
import { startReport, writeReport } from './report.ts'
import { databaseSettings, jobSettings } from './settings.ts'

const module = 'src/handlers.ts'
const database = { DATABASE_URL: { database: 'url' } } as const
const onDatabase = { module, settings: databaseSettings, environment: database } as const

/** All that there is, said once: checked, run on this machine, and deployed from here. */
export const app = defineApp({
  name: '{{name}}',
  root: new URL('..', import.meta.url),
  database: { migratedBy: 'MigrateDatabase' },
  functions: {
    StartJob: {
      module,
      export: 'start',
      task: startReport,
      settings: jobSettings,
      environment: { ...database, REPORT_ARN: { workflow: 'report', may: ['start'] } },
    },
    GetJob: { ...onDatabase, export: 'get', task: getJob },
    FollowJob: { ...onDatabase, export: 'follow', task: followJob, timeoutSeconds: 900 },
    CancelJob: {
      module,
      export: 'cancel',
      task: cancelJob,
      settings: jobSettings,
      environment: { ...database, REPORT_ARN: { workflow: 'report', may: ['stop'] } },
    },
    UpdateJob: { ...onDatabase, export: 'update', task: updateStatus, timeoutSeconds: 25 },
    WriteReport: {
      module,
      export: 'write',
      task: writeReport,
      settings: databaseSettings,
      timeoutSeconds: 880,
      environment: { ...database, REPORT_ARN: { workflow: 'report', may: ['answer'] } },
    },
    EndStuckJobs: { ...onDatabase, export: 'endStuck', task: endStuckJobs, timeoutSeconds: 60 },
    MigrateDatabase: { ...onDatabase, export: 'migrate', task: migrateDatabase, timeoutSeconds: 300 },
  },
  workflows: {
    report: { definition: 'report.asl.json', input: z.object({ processId: z.string() }) },
  },
  routes: {
    'POST /jobs': { function: 'StartJob' },
    'GET /jobs/{processId}': { function: 'GetJob' },
    'GET /jobs/{processId}/events': { function: 'FollowJob', streaming: true },
    'POST /jobs/{processId}/cancel': { function: 'CancelJob' },
  },
  triggers: {
    EveryMinute: { schedule: 'rate(1 minute)', input: {}, calls: 'EndStuckJobs' },
  },
  toJsonSchema: (schema, io) => toJSONSchema(schema as never, { io, unrepresentable: 'any' }),
})
