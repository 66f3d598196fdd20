import type { AppDeclaration } from '@stepwright/app'
import { FinishSending } from './functions/finish-sending.ts'
import { RecordMailEvents } from './functions/record-mail-events.ts'
import { SendBatch } from './functions/send-batch.ts'
import { SweepCampaigns } from './functions/sweep-campaigns.ts'
import { sending } from './resources.ts'

/** What the functions count. */
export const metrics = {
  StaleImports: {
    description: 'Campaigns that have been 取込中 for more than 30 minutes.',
    by: [SweepCampaigns],
  },
  OverdueSends: {
    description: 'Campaigns 送信予約済 past their time, or 送信中 without progress.',
    by: [SweepCampaigns],
  },
  SendsStopped: {
    description: 'Campaigns 送信停止, since SES refuses the sender or the content.',
    by: [SendBatch],
  },
  MailBounces: { description: 'Messages whose address does not exist.', by: [RecordMailEvents] },
  MailComplaints: { description: 'Messages that their recipients called spam.', by: [RecordMailEvents] },
  MessagesUnconfirmed: {
    description: 'Recipients of a sent campaign who may have got nothing.',
    by: [FinishSending],
  },
} satisfies AppDeclaration['metrics']

/** When somebody has to look. */
export const alarms = {
  ImportStuck: {
    description: 'A campaign has been 取込中 for more than 30 minutes: look at its execution and redrive it.',
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
    metric: { workflow: sending, name: 'ExecutionsFailed' },
    above: 0,
  },
} satisfies AppDeclaration['alarms']
