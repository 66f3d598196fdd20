import { defineTask } from '@stepwright/task'
import * as z from 'zod/mini'
import type { RecipientPorts } from './delete-existing-recipients.ts'
import { databaseErrors, SupersededError } from './errors.ts'
import { campaignRun } from './schemas.ts'

/** 送信中 → 送信済. */
export const finishSending = defineTask({
  name: 'finish-sending',
  input: campaignRun,
  output: z.object({ sent: z.int(), bounced: z.int(), unconfirmed: z.int() }),
  errors: [SupersededError, ...databaseErrors],
  async run(run, { campaigns, recipients }: RecipientPorts, { logger, metrics }) {
    const { campaign_id, import_revision } = await campaigns.requireCurrent(run)
    const { sent, bounced, unconfirmed } = await recipients.countSent({
      campaign_id,
      revision: import_revision,
    })
    await campaigns.finishSending(run)
    metrics.add('MessagesUnconfirmed', unconfirmed)
    logger.info('campaign sent', { ...run, sent, bounced, unconfirmed })
    return { sent, bounced, unconfirmed }
  },
})
