import { setTimeout as wait } from 'node:timers/promises'
import type { SendState } from '@stepwright/mail'
import { type MailingSnapshot, mailingViolations } from '@stepwright/mail/testing'
import { status } from '../campaign.ts'
import { csvOf, type RunningCampaigns } from './running-campaigns.ts'

interface Known {
  readonly id: string
  s3_key: string
  /** How often a resend chose a recipient, by the revision of the import and the address. */
  readonly chosen: Map<string, number>
  /** Since a resend of a paused campaign: who was pending, and gets nothing before the next PUT. */
  pending: ReadonlySet<string>
  /** After a pause or a cancellation: how many messages there were, and may be. */
  quietAt: number | undefined
}

type Row = Readonly<Record<string, unknown>> & {
  readonly import_revision: number
  readonly email: string | null
  readonly send_status: SendState
  /** Whether a sender may still have it in flight. */
  readonly is_held: boolean
}

/** What is handed out when a sending is paused may still be handed in. */
const inFlightMs = 1000

/** Operations of staff and troubles of machines, in any order, and what must hold after each. */
export function createCampaignOperations(app: RunningCampaigns, random: () => number) {
  const known: Known[] = []
  const whole = (max: number) => Math.floor(random() * max)
  const any = (): Known | undefined => known[whole(known.length)]
  const messagesOf = (id: string) =>
    app.services.mailbox.messages.filter(({ tags }) => tags['campaign_id'] === id)
  const counted = (id: string, revision: number): ReadonlyMap<string, number> => {
    const counts = new Map<string, number>()
    for (const { to, tags } of messagesOf(id)) {
      if (tags['revision'] === String(revision)) counts.set(to[0] ?? '', (counts.get(to[0] ?? '') ?? 0) + 1)
    }
    return counts
  }
  const rowsOf = (id: string) =>
    app.query<Row>(
      `select c.*, r.email, r.send_status, coalesce(r.sending_until > now(), false) as is_held from notification_campaigns c left join notification_recipients r
       on r.campaign_id = c.campaign_id and r.revision = c.import_revision where c.campaign_id = $1`,
      [id],
    )

  async function quiet(campaign: Known): Promise<void> {
    await wait(inFlightMs)
    campaign.quietAt = messagesOf(campaign.id).length
  }

  async function register(csv: string, inMs: number): Promise<string> {
    const s3_key = await app.upload(csv)
    const { status: code, data } = await app.save('POST', '/campaigns', s3_key, inMs)
    if (code === 202)
      known.push({ id: data.campaign_id, s3_key, chosen: new Map(), pending: new Set(), quietAt: undefined })
    return `register ${code}`
  }

  async function put(campaign: Known, s3_key: string): Promise<string> {
    const soon = await app.save('PUT', `/campaigns/${campaign.id}`, s3_key, random() < 0.7 ? 300 : 3_600_000)
    if (soon.status === 200) Object.assign(campaign, { s3_key, pending: new Set(), quietAt: undefined })
    return `${soon.status}`
  }

  async function resend(campaign: Known): Promise<string> {
    if (random() < 0.7) {
      // Half a minute passes, after which nobody is in flight.
      await app.query('update notification_recipients set sending_until = now() where campaign_id = $1', [
        campaign.id,
      ])
    }
    const rows = await rowsOf(campaign.id)
    const { status: code, data } = await app.call('POST', `/campaigns/${campaign.id}/resend`)
    if (code === 200) {
      campaign.quietAt = undefined
      const pending = rows.flatMap(({ email, send_status }) =>
        send_status === 'pending' && email ? [email] : [],
      )
      if (data.status === status.stopped) campaign.pending = new Set(pending)
      for (const { email, send_status, import_revision, is_held } of rows) {
        const key = `${import_revision}:${email}`
        const isChosen = send_status === 'unconfirmed' || (send_status === 'sending' && !is_held)
        if (isChosen) campaign.chosen.set(key, (campaign.chosen.get(key) ?? 0) + 1)
      }
    }
    return `${code}`
  }

  const operations: readonly (readonly [name: string, weight: number, run: () => Promise<unknown>])[] = [
    [
      'register',
      4,
      () => register(csvOf(20 + whole(150), `u${known.length}-`), random() < 0.8 ? 300 : 3_600_000),
    ],
    ['register a broken file', 1, () => register('tel\n1\n', 300)],
    [
      'replace the file',
      2,
      async () => put(any() as Known, await app.upload(csvOf(10 + whole(40), 'replaced'))),
    ],
    ['book another time', 4, () => put(any() as Known, (any() as Known).s3_key)],
    [
      'pause',
      4,
      async () => {
        const campaign = any() as Known
        const { status: code } = await app.call('POST', `/campaigns/${campaign.id}/pause`)
        if (code === 200) await quiet(campaign)
        return code
      },
    ],
    ['resend', 4, () => resend(any() as Known)],
    [
      'cancel',
      1,
      async () => {
        const campaign = any() as Known
        const { status: code } = await app.call('POST', `/campaigns/${campaign.id}/cancel`)
        if (code === 200) await quiet(campaign)
        return code
      },
    ],
    ['kill the sender', 5, async () => app.kill('SendBatch')],
    ['kill the import', 1, async () => app.kill('ImportChunk')],
    ['redrive', 2, () => redriveFailed(any() as Known)],
    ['wait', 6, () => wait(whole(500))],
  ]

  async function redriveFailed({ id }: Known): Promise<string> {
    for (const machine of ['import', 'send'] as const) {
      const failed = Object.entries(await app.executions(machine, id)).filter(([, each]) => each === 'FAILED')
      for (const [name] of failed) {
        const revision = Number(name.split('-')[1])
        await app.redrive(app.arnOf(machine, id, revision)).catch(() => {})
      }
    }
    return 'done'
  }

  return {
    /** One operation, chosen by its weight. What was done, for a report. */
    async step(): Promise<string> {
      const possible = operations.filter(([name]) => known.length > 0 || name.startsWith('register'))
      const lots = possible.flatMap(operation => Array<typeof operation>(operation[1]).fill(operation))
      const [name, , run] = lots[whole(lots.length)] ?? ['wait', 1, async () => 'nothing']
      return `${name}: ${await run()}`
    },

    /** What is wrong with any campaign now. */
    async violations(): Promise<readonly string[]> {
      const found: string[] = []
      for (const campaign of known) {
        const { id, chosen, quietAt } = campaign
        const before = new Map<number, ReadonlyMap<string, number>>()
        for (let revision = 1; revision < 50; revision += 1) before.set(revision, counted(id, revision))
        const rows = await rowsOf(id)
        const [row] = rows
        if (row === undefined) continue
        const { import_revision } = row
        const of = (state: string) => Number(row[`${state}_count`])
        const states = rows.flatMap(({ email, send_status }) =>
          email === null ? [] : [[email, send_status] as const],
        )
        const snapshot: MailingSnapshot = {
          messagesBefore: before.get(import_revision) ?? new Map(),
          states: new Map(states),
          counts: {
            sending: of('sending'),
            unconfirmed: of('unconfirmed'),
            sent: of('sent'),
            bounced: of('bounced'),
            suppressed: of('suppressed'),
            complained: of('complained'),
          },
          messagesAfter: counted(id, import_revision),
          intended: email => 1 + (chosen.get(`${import_revision}:${email}`) ?? 0),
        }
        const isImported = row['status'] !== status.importing && row['status'] !== status.importFailed
        const own = [...(isImported ? mailingViolations(snapshot) : [])]
        if (quietAt !== undefined && messagesOf(id).length > quietAt)
          own.push('messages were sent after a pause')
        if ([...snapshot.messagesAfter.keys()].some(email => campaign.pending.has(email))) {
          own.push('a resend went to recipients who were pending')
        }
        const { sending, total_count } = await app.show(id)
        if (sending) {
          const sum = Object.values(sending as Record<string, number>).reduce((all, count) => all + count, 0)
          if (sum !== total_count) own.push(`the view counts ${sum} of ${total_count} recipients`)
          if (sending.pending < 0) own.push('the view counts less than nobody as pending')
        }
        found.push(...own.map(each => `campaign ${known.indexOf(campaign)}: ${each}`))
      }
      return found
    },

    /** Waits until nothing changes by itself any more; whatever died is started again. */
    async settle(): Promise<void> {
      const moving: readonly string[] = [status.importing, status.scheduled, status.sending]
      for (const campaign of known) {
        for (let tries = 0; tries < 200; tries += 1) {
          const { status: now, scheduled_at } = await app.show(campaign.id)
          const isLater = now === status.scheduled && Date.parse(scheduled_at) > Date.now() + 60_000
          if (!moving.includes(now) || isLater) break
          await redriveFailed(campaign)
          await wait(200)
        }
      }
    },
    statuses: async () => Promise.all(known.map(async ({ id }) => (await app.show(id)).status as string)),
  }
}
