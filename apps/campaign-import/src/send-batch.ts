import { type Mailer, type OutboxStore, sendOutbox, type UnsubscribeTokens } from '@stepwright/mail'
import { defineTask } from '@stepwright/task'
import * as z from 'zod/mini'
import type { Recipient } from './campaign.ts'
import { type Campaign, type CampaignRun, type Campaigns, isSending } from './campaigns.ts'
import { SendRefusedError, SupersededError, sendErrors } from './errors.ts'
import { sendOf } from './mailing.ts'
import { campaignRun } from './schemas.ts'
import { toMessage } from './to-message.ts'

export interface SendPorts {
  readonly campaigns: Campaigns
  readonly outbox: OutboxStore<Recipient>
  readonly mailer: Mailer
  readonly tokens: UnsubscribeTokens
  /** Where the API is reached, for recipients who want no more mail. */
  readonly publicUrl: string
  /** Messages handed in each second, at most, by all campaigns together. */
  readonly maxSendRate: number
  /** @default a timer */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>
}

/** Time that is kept for recording what the last messages came to. */
const reserveMs = 10_000
/** One state's share: long campaigns go on in the next, far below the history's limits. */
const maxSeconds = 240

/** Sends as many messages as fit into one call. What concerns everybody ends it: 送信中 → 送信停止. */
export const sendBatch = defineTask({
  name: 'send-batch',
  idempotent: true,
  input: z.object({ ...campaignRun.shape, after: z.string() }),
  output: z.object({ after: z.string(), done: z.boolean() }),
  errors: [SupersededError, SendRefusedError, ...sendErrors],
  async run({ after, ...run }, ports: SendPorts, { now, remainingMs, signal, logger, metrics }) {
    const { campaigns, mailer, maxSendRate, sleep } = ports
    const campaign = await requireSending(run, campaigns)
    const outbox = ports.outbox.open(sendOf(campaign))
    const progress = await sendOutbox({
      mailer,
      maxSendRate,
      sleep,
      outbox: {
        ...outbox,
        async claim(last, limit) {
          const claimed = await outbox.claim(last, limit)
          if (claimed.length === 0) await requireSending(run, campaigns)
          return claimed
        },
      },
      toMessage: recipient => toMessage(campaign, recipient, ports),
      after,
      hasSent: campaign.sent_count > 0,
      now,
      until: now() + Math.min(remainingMs() - reserveMs, maxSeconds * 1000),
      signal,
    })
    if (progress.kind !== 'stopped') {
      return { after: progress.kind === 'more' ? progress.after : '', done: progress.kind === 'done' }
    }
    const { reason } = progress
    const error = new SendRefusedError(`nothing more is sent: ${reason}`, { code: 'SEND_REFUSED' })
    await campaigns.stopSending(run, { error: error.name, message: error.message, code: 'SEND_REFUSED' })
    metrics.add('SendsStopped', 1)
    logger.error('sending stopped', { ...run, reason })
    throw error
  },
})

async function requireSending(run: CampaignRun, campaigns: Campaigns): Promise<Campaign> {
  const campaign = await campaigns.requireCurrent(run)
  if (isSending(campaign)) return campaign
  throw new SupersededError(`campaign ${run.campaign_id} is ${campaign.status}`)
}
