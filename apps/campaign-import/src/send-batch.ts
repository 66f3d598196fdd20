import { defineTask, type TaskContext } from '@stepwright/task'
import * as z from 'zod/mini'
import { type Recipient, status } from './campaign.ts'
import type { Campaign, CampaignRun, Campaigns, Recipients, SendOutcome } from './campaigns.ts'
import { formatSender } from './email-address.ts'
import { SendRefusedError, SupersededError, sendErrors } from './errors.ts'
import type { Delivery, Mailer } from './mailer.ts'
import { campaignRun } from './schemas.ts'

export interface SendPorts {
  readonly campaigns: Campaigns
  readonly recipients: Recipients
  readonly mailer: Mailer
  /** Messages handed in each second, at most, by all campaigns together. */
  readonly maxSendRate: number
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
}

/** Time that is kept for recording what the last messages came to. */
const reserveMs = 10_000
/** One state's share: long campaigns go on in the next, far below the history's limits. */
const maxSeconds = 240
/** Trouble is waited out, twice as long each time. */
const maxPauseMs = 60_000
const maxStep = 50
/** So many rejected in a row are no matter of single addresses. */
const maxRejectedInRow = 20

/**
 * Sends as many messages as fit into one call, in small steps: what a step takes is claimed before and recorded
 * after it. One whose sender died in between stays claimed, and gets no second message.
 */
export const sendBatch = defineTask({
  name: 'send-batch',
  idempotent: true,
  input: z.object({ ...campaignRun.shape, after: z.string() }),
  output: z.object({ after: z.string(), done: z.boolean() }),
  errors: [SupersededError, SendRefusedError, ...sendErrors],
  async run({ after, ...run }, ports: SendPorts, context) {
    const { campaigns, recipients, maxSendRate, sleep } = ports
    const { now, remainingMs, signal } = context
    const campaign = await requireSending(run, campaigns)
    const until = now() + Math.min(remainingMs() - reserveMs, maxSeconds * 1000)
    const biggestStep = Math.min(maxStep, Math.max(1, Math.ceil(maxSendRate / 4)))
    let hasSent = campaign.sent_count > 0
    let rejected: readonly string[] = []
    let [last, step, troubles] = [after, 1, 0]
    while (now() < until) {
      const pause = troubles === 0 ? 0 : Math.min(maxPauseMs, 1000 * 2 ** troubles)
      const waitMs = pause + (await recipients.takeTurn(step, maxSendRate))
      if (now() + waitMs >= until) break
      await sleep(waitMs, signal)
      const claimed = await recipients.claim(campaign, last, step)
      if (claimed.length === 0) {
        await requireSending(run, campaigns)
        if (last === '') {
          if (!hasSent && rejected.length > 0)
            throw await stop(run, rejected, 'all were rejected', ports, context)
          return { after: '', done: true }
        }
        last = '' // those who were given back lie before
        continue
      }
      const deliveries = await Promise.all(claimed.map(to => deliver(campaign, to, ports, signal)))
      const emailsOf = (...kinds: Delivery['kind'][]) =>
        claimed.flatMap(({ email }, index) =>
          kinds.includes(deliveries[index]?.kind as never) ? [email] : [],
        )
      await recipients.record(campaign, claimed.flatMap(toOutcome(deliveries)))
      const givenBack = emailsOf('refused', 'stopped')
      await recipients.release(campaign, givenBack)
      const stopped = deliveries.find(({ kind }) => kind === 'stopped')
      hasSent ||= emailsOf('sent').length > 0
      rejected = emailsOf('sent').length > 0 ? [] : [...rejected, ...emailsOf('bounced')]
      if (stopped || rejected.length >= maxRejectedInRow) {
        const reason =
          deliveries.flatMap(delivery => ('reason' in delivery ? [delivery.reason] : []))[0] ?? ''
        throw await stop(run, rejected, reason, ports, context)
      }
      if (givenBack.length === 0) last = claimed.at(-1)?.email ?? last
      troubles = givenBack.length + emailsOf('unknown').length > 0 ? troubles + 1 : 0
      step = troubles > 0 ? 1 : Math.min(biggestStep, step * 2)
    }
    return { after: last, done: false }
  },
})

async function requireSending(run: CampaignRun, campaigns: Campaigns): Promise<Campaign> {
  const campaign = await campaigns.requireCurrent(run)
  if (campaign.status === status.sending || campaign.status === status.sent) return campaign
  throw new SupersededError(`campaign ${run.campaign_id} is ${campaign.status}`)
}

/** 送信中 → 送信停止: whoever was refused for everybody's reason stays to be sent to. */
async function stop(
  run: CampaignRun,
  rejected: readonly string[],
  reason: string,
  { campaigns, recipients }: SendPorts,
  { logger, metrics }: TaskContext,
): Promise<Error> {
  const sending = await campaigns.requireCurrent(run)
  await recipients.release(sending, rejected)
  const error = new SendRefusedError(`nothing more is sent: ${reason}`, { code: 'SEND_REFUSED' })
  await campaigns.stopSending(run, { error: error.name, message: error.message, code: 'SEND_REFUSED' })
  metrics.add('SendsStopped', 1)
  logger.error('sending stopped', { ...run, reason })
  return error
}

function deliver(
  campaign: Campaign,
  { email, name }: Recipient,
  { mailer }: SendPorts,
  signal: AbortSignal,
): Promise<Delivery> {
  const fill = (text: string, value = name ?? '') => text.replaceAll('{name}', () => value)
  const message = {
    from: formatSender(campaign),
    to: email,
    subject: fill(campaign.subject, (name ?? '').replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')),
    html: fill(campaign.body_html, escapeHtml(name ?? '')),
    text: fill(campaign.body_text),
    campaignId: campaign.campaign_id,
  }
  return mailer.send(message, signal)
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
}

function toOutcome(deliveries: readonly Delivery[]) {
  return ({ email }: Recipient, index: number): readonly SendOutcome[] => {
    const delivery = deliveries[index]
    if (delivery?.kind === 'sent') return [{ email, sent: delivery.messageId }]
    return delivery?.kind === 'bounced' ? [{ email, bounced: delivery.reason }] : []
  }
}
