import { isTaskError, type TaskError, ThrottlingException, toTaskError } from '@stepwright/errors'
import { defineTask } from '@stepwright/task'
import * as z from 'zod/mini'
import type { Campaign, Recipient } from './campaign.ts'
import type { SendOutcome } from './campaigns.ts'
import type { RecipientPorts } from './delete-existing-recipients.ts'
import { databaseErrors, SupersededError, serviceErrors } from './errors.ts'
import type { Delivery, Mailer } from './mailer.ts'
import { campaignRun } from './schemas.ts'

export interface SendPorts extends RecipientPorts {
  readonly mailer: Mailer
  /** Messages handed in each second, at most. */
  readonly maxSendRate: number
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
}

/** Time that is kept for recording what the last messages came to. */
const reserveMs = 10_000
/** One state's share: long campaigns go on in the next, far below the history's limits. */
const maxSeconds = 240
/** How often in a row throttling is waited out, twice as long each time, before the state machine waits. */
const maxThrottled = 5

/**
 * Sends as many messages as fit into one call. Recipients are claimed before and recorded after: one whose sender
 * died in between stays claimed, and gets no second message.
 */
export const sendBatch = defineTask({
  name: 'send-batch',
  input: z.object({ ...campaignRun.shape, after: z.string() }),
  output: z.object({ after: z.string(), done: z.boolean() }),
  errors: [SupersededError, ...databaseErrors, ...serviceErrors],
  async run({ after, ...run }, ports: SendPorts, { signal, now, remainingMs }) {
    const { campaigns, recipients, maxSendRate, sleep } = ports
    const campaign = await campaigns.requireCurrent(run)
    const list = { campaign_id: run.campaign_id, revision: campaign.import_revision }
    const until = now() + Math.min(remainingMs() - reserveMs, maxSeconds * 1000)
    let last = after
    let throttled = 0
    for (;;) {
      const started = now()
      const claimed = await recipients.claim(list, last, maxSendRate)
      if (claimed.length === 0) return { after: last, done: true }
      const deliveries = await Promise.all(claimed.map(to => deliver(campaign, to, ports, signal)))
      await recipients.record(list, claimed.flatMap(toOutcome(deliveries)))
      const refused = claimed.filter((_, index) => deliveries[index]?.kind === 'refused')
      await recipients.release(
        list,
        refused.map(({ email }) => email),
      )
      const trouble = worstTrouble(deliveries)
      if (trouble === undefined) {
        last = claimed.at(-1)?.email ?? last
        throttled = 0
      } else {
        throttled += 1
        if (!isTaskError(trouble, ThrottlingException) || throttled > maxThrottled) throw trouble
      }
      if (now() >= until) return { after: last, done: false }
      await sleep(Math.max(0, started + 1000 * 2 ** throttled - now()), signal)
    }
  },
})

/** One message of unknown fate is reason enough to stop: the next ones might share it. */
function worstTrouble(deliveries: readonly Delivery[]): TaskError | undefined {
  const trouble =
    deliveries.find(({ kind }) => kind === 'unknown') ?? deliveries.find(({ kind }) => kind === 'refused')
  return trouble && 'error' in trouble ? toTaskError(trouble.error) : undefined
}

function deliver(
  campaign: Campaign,
  { email }: Recipient,
  { mailer }: SendPorts,
  signal: AbortSignal,
): Promise<Delivery> {
  return mailer.send(
    {
      from: campaign.from_address,
      to: email,
      subject: campaign.subject,
      html: campaign.body_html,
      text: campaign.body_text,
      campaignId: campaign.campaign_id,
    },
    signal,
  )
}

function toOutcome(deliveries: readonly Delivery[]) {
  return ({ email }: Recipient, index: number): readonly SendOutcome[] => {
    const delivery = deliveries[index]
    if (delivery?.kind === 'sent') return [{ email, sent: delivery.messageId }]
    return delivery?.kind === 'bounced' ? [{ email, bounced: delivery.reason }] : []
  }
}
