import { defineTask } from '@stepwright/task'
import * as z from 'zod/mini'
import type { Campaigns } from './campaigns.ts'
import { PendingRecipientsError, SupersededError, sendErrors } from './errors.ts'
import { campaignRun } from './schemas.ts'

/** 送信中 → 送信済, when there is nobody left to send to. */
export const finishSending = defineTask({
  name: 'finish-sending',
  idempotent: true,
  input: campaignRun,
  output: z.object({ sent: z.int(), bounced: z.int(), unconfirmed: z.int() }),
  errors: [SupersededError, PendingRecipientsError, ...sendErrors],
  async run(run, { campaigns }: { campaigns: Campaigns }, { logger, metrics }) {
    const campaign = await campaigns.finishSending(run)
    const { sent_count: sent, bounced_count: bounced } = campaign
    const unconfirmed = campaign.unconfirmed_count + campaign.sending_count
    metrics.add('MessagesUnconfirmed', unconfirmed)
    logger.info('campaign sent', { ...run, sent, bounced, unconfirmed })
    return { sent, bounced, unconfirmed }
  },
})
