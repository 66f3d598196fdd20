import { defineApp } from '@stepwright/app'
import { toJSONSchema } from 'zod'
import * as z from 'zod/mini'
import { beginSending } from './begin-sending.ts'
import { changeCampaign } from './change-campaign.ts'
import { deleteExistingRecipients } from './delete-existing-recipients.ts'
import { failImport } from './fail-import.ts'
import { finalizeImport } from './finalize-import.ts'
import { findStaleImports } from './find-stale-imports.ts'
import { finishSending } from './finish-sending.ts'
import { importRecipients } from './import-recipients.ts'
import { migrateDatabase } from './migrate-database.ts'
import { registerCampaign } from './register-campaign.ts'
import { requestUpload } from './request-upload.ts'
import { campaignRun, s3Key } from './schemas.ts'
import { sendBatch } from './send-batch.ts'
import {
  databaseSettings,
  finalizeSettings,
  registerSettings,
  sendSettings,
  storeSettings,
} from './settings.ts'
import { showCampaign } from './show-campaign.ts'
import { splitRecipients } from './split-recipients.ts'

const module = 'src/handlers.ts'
const database = { DATABASE_URL: { database: 'url' } } as const
const workflows = {
  IMPORT_STATE_MACHINE_ARN: { workflow: 'import', may: ['start', 'stop'] },
  SEND_STATE_MACHINE_ARN: { workflow: 'send', may: ['start', 'stop'] },
} as const
/** Below the 29 seconds that API Gateway waits, and below the 300 and 60 of the states. */
const api = { module, timeoutSeconds: 25 } as const
const step = { module, timeoutSeconds: 280, memoryMb: 512 } as const
const shortStep = { module, timeoutSeconds: 50 } as const
const onDatabase = { settings: databaseSettings, environment: database } as const

function bucket(...may: readonly ('read' | 'write')[]) {
  return { ...database, BUCKET_NAME: { bucket: 'campaigns', may } } as const
}

export const app = defineApp({
  name: 'campaign-import',
  root: new URL('..', import.meta.url),
  resources: {
    buckets: {
      campaigns: {
        expiry: [
          { prefix: 'uploads/', days: 30 },
          { prefix: 'chunks/', days: 30 },
        ],
      },
    },
  },
  database: { migratedBy: 'MigrateDatabase' },
  functions: {
    DeleteExistingRecipients: {
      ...step,
      ...onDatabase,
      export: 'deleteExistingRecipients',
      task: deleteExistingRecipients,
    },
    SplitCSV: {
      ...step,
      export: 'splitCsv',
      task: splitRecipients,
      settings: storeSettings,
      environment: bucket('read', 'write'),
    },
    ImportChunk: {
      ...step,
      export: 'importChunk',
      task: importRecipients,
      settings: storeSettings,
      environment: bucket('read'),
    },
    FinalizeImport: {
      ...step,
      export: 'finalizeImport',
      task: finalizeImport,
      settings: finalizeSettings,
      environment: { ...database, SEND_STATE_MACHINE_ARN: { workflow: 'send', may: ['start'] } },
    },
    FailImport: { ...step, ...onDatabase, export: 'failImport', task: failImport },
    FindStaleImports: {
      ...shortStep,
      ...onDatabase,
      export: 'findStaleImports',
      task: findStaleImports,
    },
    BeginSending: { ...shortStep, ...onDatabase, export: 'beginSending', task: beginSending },
    SendBatch: {
      module,
      timeoutSeconds: 300,
      export: 'sendBatch',
      task: sendBatch,
      settings: sendSettings,
      environment: { ...database, MAX_SEND_RATE: 14 },
      permissions: [{ actions: ['ses:SendEmail'], resources: ['*'] }],
    },
    FinishSending: { ...shortStep, ...onDatabase, export: 'finishSending', task: finishSending },
    RequestUpload: {
      ...api,
      export: 'requestUpload',
      task: requestUpload,
      settings: storeSettings,
      environment: bucket('write'),
    },
    RegisterCampaign: {
      ...api,
      export: 'registerCampaign',
      task: registerCampaign,
      settings: registerSettings,
      environment: { ...bucket('read'), ...workflows },
    },
    ChangeCampaign: {
      ...api,
      export: 'changeCampaign',
      task: changeCampaign,
      settings: registerSettings,
      environment: { ...bucket('read'), ...workflows },
    },
    ShowCampaign: { ...api, ...onDatabase, export: 'showCampaign', task: showCampaign },
    MigrateDatabase: { ...step, ...onDatabase, export: 'migrateDatabase', task: migrateDatabase },
  },
  workflows: {
    import: {
      definition: 'import.asl.json',
      input: z.object({ ...campaignRun.shape, s3_key: s3Key }),
      catchExhausted: false,
    },
    send: {
      definition: 'send.asl.json',
      input: z.object({ ...campaignRun.shape, scheduled_at: z.iso.datetime() }),
      catchExhausted: false,
    },
  },
  routes: {
    'GET /presigned-url': { function: 'RequestUpload' },
    'POST /campaigns': { function: 'RegisterCampaign' },
    'PUT /campaigns/{id}': { function: 'ChangeCampaign' },
    'GET /campaigns/{id}': { function: 'ShowCampaign' },
  },
  triggers: {
    EveryFiveMinutes: { schedule: 'rate(5 minutes)', calls: 'FindStaleImports' },
  },
  metrics: {
    StaleImports: { description: 'Campaigns that have been 取込中 for more than 30 minutes.' },
    MessagesUnconfirmed: { description: 'Recipients of a sent campaign who may have got nothing.' },
  },
  alarms: {
    ImportStuck: {
      description:
        'A campaign has been 取込中 for more than 30 minutes: look at its execution and redrive it.',
      metric: { metric: 'StaleImports' },
      statistic: 'maximum',
      above: 0,
    },
    SendFailed: {
      description: 'A campaign was not sent to its end: look at its execution and redrive it.',
      metric: { workflow: 'send', name: 'ExecutionsFailed' },
      above: 0,
    },
  },
  toJsonSchema: (schema, io) => toJSONSchema(schema as never, { io }) as Record<string, unknown>,
})
