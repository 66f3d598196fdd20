import { defineApp } from '@stepwright/app'
import { purgeLedger } from '@stepwright/batch-writer/tasks'
import { recordMailEvents, unsubscribe } from '@stepwright/mail/tasks'
import { toJSONSchema } from 'zod'
import * as z from 'zod/mini'
import { beginSending } from './begin-sending.ts'
import { changeCampaign } from './change-campaign.ts'
import { failImport } from './fail-import.ts'
import { finalizeImport } from './finalize-import.ts'
import { finishSending } from './finish-sending.ts'
import * as tasks from './import-tasks.ts'
import { migrateDatabase } from './migrations.ts'
import { pauseCampaign } from './pause-campaign.ts'
import { purgeRecipients } from './purge-recipients.ts'
import { registerCampaign } from './register-campaign.ts'
import { requestUpload } from './request-upload.ts'
import { resendCampaign } from './resend-campaign.ts'
import { campaignRun, importInput } from './schemas.ts'
import { sendBatch } from './send-batch.ts'
import * as settings from './settings.ts'
import { listCampaigns, showCampaign } from './show-campaign.ts'
import { sweepCampaigns } from './sweep-campaigns.ts'
import { askToUnsubscribe } from './unsubscribe-page.ts'

const module = 'src/handlers.ts'
const database = { DATABASE_URL: { database: 'url' } } as const
/** Below the 29 seconds that API Gateway waits, and below the states' 300 and 60. */
const api = { module, timeoutSeconds: 25 } as const
const step = { module, timeoutSeconds: 280 } as const
const shortStep = { module, timeoutSeconds: 50 } as const
const readUploads = { BUCKET_NAME: { bucket: 'campaigns', may: ['read uploads/*'] } } as const
const writeUploads = { BUCKET_NAME: { bucket: 'campaigns', may: ['write uploads/*'] } } as const
const splitUploads = {
  BUCKET_NAME: { bucket: 'campaigns', may: ['read uploads/*', 'read chunks/*', 'write chunks/*'] },
} as const
const readChunks = { BUCKET_NAME: { bucket: 'campaigns', may: ['read uploads/*', 'read chunks/*'] } } as const
const readManifests = { BUCKET_NAME: { bucket: 'campaigns', may: ['read chunks/*'] } } as const
const startSend = { SEND_STATE_MACHINE_ARN: { workflow: 'send', may: ['start'] } } as const
const onDatabase = { settings: settings.databaseSettings, environment: database } as const
const onData = { settings: settings.dataSettings } as const
const onTokens = { ...database, UNSUBSCRIBE_KEYS: { secret: 'unsubscribeKeys' } } as const
const onUnsubscribe = { settings: settings.unsubscribeSettings, environment: onTokens } as const
const onRegister = { settings: settings.registerSettings } as const
const registering = { ...database, ...readUploads, ALLOWED_SENDERS: 'example.com, example.jp' } as const

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
        corsOrigins: ['*'], // a presigned URL is all that a page needs
      },
    },
    configurationSets: { campaigns: {} },
    secrets: {
      unsubscribeKeys: {
        description: 'Seals the tokens of unsubscription: 32 bytes in base64, several separated by commas.',
        localValue: Buffer.alloc(32, 'campaign-import').toString('base64'),
      },
    },
  },
  site: { directory: 'web/' },
  database: { migratedBy: 'MigrateDatabase' },
  functions: {
    DeleteExistingRecipients: {
      ...step,
      ...onDatabase,
      export: 'deleteExistingRecipients',
      task: tasks.deleteExistingRecipients,
    },
    SplitCSV: {
      ...step,
      export: 'splitCsv',
      task: tasks.splitRecipients,
      settings: settings.storeSettings,
      environment: splitUploads,
    },
    ImportChunk: {
      ...step,
      ...onData,
      export: 'importChunk',
      task: tasks.importRecipients,
      environment: { ...database, ...readChunks },
    },
    SummarizeImport: { ...shortStep, ...onDatabase, export: 'summarizeImport', task: tasks.summarizeImport },
    FinalizeImport: {
      ...shortStep,
      export: 'finalizeImport',
      task: finalizeImport,
      settings: settings.finalizeSettings,
      environment: { ...database, SEND_STATE_MACHINE_ARN: { workflow: 'send', may: [] } },
    },
    StartSending: {
      ...shortStep,
      export: 'startSending',
      task: tasks.startSending,
      settings: settings.startSettings,
      environment: startSend,
    },
    FailImport: { ...shortStep, ...onDatabase, export: 'failImport', task: failImport },
    BeginSending: { ...shortStep, ...onDatabase, export: 'beginSending', task: beginSending },
    SendBatch: {
      ...step,
      export: 'sendBatch',
      task: sendBatch,
      settings: settings.sendSettings,
      environment: {
        ...onTokens,
        MAX_SEND_RATE: 14,
        PUBLIC_URL: { api: 'url' },
        CONFIGURATION_SET: { configurationSet: 'campaigns', may: ['send'] },
      },
    },
    FinishSending: { ...shortStep, ...onDatabase, export: 'finishSending', task: finishSending },
    SweepCampaigns: {
      ...step,
      export: 'sweepCampaigns',
      task: sweepCampaigns,
      settings: settings.sweepSettings,
      environment: {
        ...database,
        IMPORT_STATE_MACHINE_ARN: { workflow: 'import', may: ['start', 'describe'] },
        SEND_STATE_MACHINE_ARN: { workflow: 'send', may: ['start', 'describe'] },
      },
    },
    ResendCampaign: {
      ...api,
      export: 'resendCampaign',
      task: resendCampaign,
      settings: settings.sweepSettings,
      environment: { ...database, ...startSend, IMPORT_STATE_MACHINE_ARN: { workflow: 'import', may: [] } },
    },
    RecordMailEvents: { ...shortStep, ...onDatabase, export: 'recordMailEvents', task: recordMailEvents },
    AskToUnsubscribe: { ...api, ...onUnsubscribe, export: 'askToUnsubscribe', task: askToUnsubscribe },
    Unsubscribe: { ...api, ...onUnsubscribe, export: 'unsubscribe', task: unsubscribe },
    PurgeRecipients: { ...step, ...onDatabase, export: 'purgeRecipients', task: purgeRecipients },
    PurgeLedger: { ...step, ...onDatabase, export: 'purgeLedger', task: purgeLedger() },
    MigrateDatabase: { ...step, ...onDatabase, export: 'migrateDatabase', task: migrateDatabase },
    RequestUpload: {
      ...api,
      export: 'requestUpload',
      task: requestUpload,
      settings: settings.dataSettings,
      environment: { ...database, ...writeUploads },
    },
    RegisterCampaign: {
      ...api,
      ...onRegister,
      export: 'registerCampaign',
      task: registerCampaign,
      environment: {
        ...registering,
        IMPORT_STATE_MACHINE_ARN: { workflow: 'import', may: ['start'] },
        SEND_STATE_MACHINE_ARN: { workflow: 'send', may: [] },
      },
    },
    ChangeCampaign: {
      ...api,
      ...onRegister,
      export: 'changeCampaign',
      task: changeCampaign,
      environment: {
        ...registering,
        IMPORT_STATE_MACHINE_ARN: { workflow: 'import', may: ['start', 'stop'] },
        SEND_STATE_MACHINE_ARN: { workflow: 'send', may: ['start', 'stop'] },
      },
    },
    PauseCampaign: { ...api, ...onDatabase, export: 'pauseCampaign', task: pauseCampaign },
    ShowCampaign: {
      ...api,
      ...onData,
      export: 'showCampaign',
      task: showCampaign,
      environment: { ...database, ...readManifests },
    },
    ListCampaigns: { ...api, ...onDatabase, export: 'listCampaigns', task: listCampaigns },
  },
  workflows: {
    import: { definition: 'import.asl.json', input: importInput },
    send: {
      definition: 'send.asl.json',
      input: z.object({ ...campaignRun.shape, scheduled_at: z.iso.datetime() }),
    },
  },
  routes: {
    'GET /presigned-url': { function: 'RequestUpload' },
    'GET /campaigns': { function: 'ListCampaigns' },
    'POST /campaigns': { function: 'RegisterCampaign' },
    'GET /campaigns/{id}': { function: 'ShowCampaign' },
    'PUT /campaigns/{id}': { function: 'ChangeCampaign' },
    'POST /campaigns/{id}/pause': { function: 'PauseCampaign' },
    'POST /campaigns/{id}/resend': { function: 'ResendCampaign' },
    'GET /unsubscribe': { function: 'AskToUnsubscribe', authorized: false },
    'POST /unsubscribe': { function: 'Unsubscribe', authorized: false },
  },
  triggers: {
    Sweep: { schedule: 'rate(5 minutes)', calls: 'SweepCampaigns' },
    MailEvents: {
      event: {
        source: ['aws.ses'],
        'detail-type': ['Email Delivered', 'Email Bounced', 'Email Complaint Received', 'Email Rejected'],
      },
      calls: 'RecordMailEvents',
    },
    PurgeRecipients: { schedule: 'rate(1 day)', input: { olderThanDays: 365 }, calls: 'PurgeRecipients' },
    PurgeLedger: { schedule: 'rate(1 day)', input: { olderThanDays: 400 }, calls: 'PurgeLedger' },
  },
  metrics: {
    StaleImports: {
      description: 'Campaigns that have been 取込中 for more than 30 minutes.',
      by: ['SweepCampaigns'],
    },
    OverdueSends: {
      description: 'Campaigns 送信予約済 past their time, or 送信中 without progress.',
      by: ['SweepCampaigns'],
    },
    SendsStopped: {
      description: 'Campaigns 送信停止, since SES refuses the sender or the content.',
      by: ['SendBatch'],
    },
    MailBounces: { description: 'Messages whose address does not exist.', by: ['RecordMailEvents'] },
    MailComplaints: { description: 'Messages that their recipients called spam.', by: ['RecordMailEvents'] },
    MessagesUnconfirmed: {
      description: 'Recipients of a sent campaign who may have got nothing.',
      by: ['FinishSending'],
    },
  },
  alarms: {
    ImportStuck: {
      description:
        'A campaign has been 取込中 for more than 30 minutes: look at its execution and redrive it.',
      runbook: 'docs/runbooks/import-stuck.md',
      metric: { metric: 'StaleImports' },
      statistic: 'maximum',
      above: 0,
    },
    SendOverdue: {
      description: 'A campaign is not being sent though its time has come: look at its execution.',
      runbook: 'docs/runbooks/send-overdue.md',
      metric: { metric: 'OverdueSends' },
      statistic: 'maximum',
      above: 0,
    },
    SendStopped: {
      description: 'SES refuses the sender or the content of a campaign: mend that, then PUT the campaign.',
      runbook: 'docs/runbooks/send-stopped.md',
      metric: { metric: 'SendsStopped' },
      above: 0,
    },
    ManyComplaints: {
      description: 'SES pauses accounts with many complaints: look at whom the last campaigns were sent to.',
      runbook: 'docs/runbooks/complaints.md',
      metric: { metric: 'MailComplaints' },
      above: 20,
      periodMinutes: 60,
    },
    SendFailed: {
      description: 'A send workflow has failed: the sweep starts it again up to three times.',
      runbook: 'docs/runbooks/execution-failed.md',
      metric: { workflow: 'send', name: 'ExecutionsFailed' },
      above: 0,
    },
  },
  toJsonSchema: (schema, io) => toJSONSchema(schema as never, { io }) as Record<string, unknown>,
})
