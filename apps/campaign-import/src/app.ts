import { defineApp } from '@stepwright/app'
import { alarms, metrics } from './alarms.ts'
import * as functions from './functions/index.ts'
import * as resources from './resources.ts'
import { importInput, sendInput } from './schemas.ts'

export const app = defineApp({
  name: 'campaign-import',
  root: new URL('..', import.meta.url),
  site: { directory: 'web/' },
  resources,
  functions,
  migratedBy: functions.MigrateDatabase,
  workflows: [
    [resources.importing, { definition: 'import.asl.json', input: importInput }],
    [resources.sending, { definition: 'send.asl.json', input: sendInput }],
  ],
  routes: {
    'GET /presigned-url': functions.RequestUpload,
    'GET /campaigns': functions.ListCampaigns,
    'POST /campaigns': functions.RegisterCampaign,
    'GET /campaigns/{id}': functions.ShowCampaign,
    'PUT /campaigns/{id}': functions.ChangeCampaign,
    'POST /campaigns/{id}/pause': functions.PauseCampaign,
    'POST /campaigns/{id}/cancel': functions.CancelCampaign,
    'POST /campaigns/{id}/resend': functions.ResendCampaign,
    'GET /unsubscribe': { function: functions.AskToUnsubscribe, authorized: false },
    'POST /unsubscribe': { function: functions.Unsubscribe, authorized: false },
  },
  triggers: {
    Sweep: { schedule: 'rate(5 minutes)', calls: functions.SweepCampaigns },
    MailEvents: {
      event: {
        source: ['aws.ses'],
        'detail-type': ['Email Delivered', 'Email Bounced', 'Email Complaint Received', 'Email Rejected'],
      },
      calls: functions.RecordMailEvents,
    },
    PurgeRecipients: {
      schedule: 'rate(1 day)',
      input: { olderThanDays: 365 },
      calls: functions.PurgeRecipients,
    },
    PurgeLedger: { schedule: 'rate(1 day)', input: { olderThanDays: 400 }, calls: functions.PurgeLedger },
  },
  metrics,
  alarms,
})
