import { createBatchWriter } from '@stepwright/batch-writer'
import { createMemoryRowSink, type MemoryRowSink } from '@stepwright/batch-writer/memory'
import { createChunkReader } from '@stepwright/csv-chunker/tasks'
import { ConflictError } from '@stepwright/errors'
import { createWorkflowExecutions } from '@stepwright/idempotency'
import { createMemoryExecutions } from '@stepwright/idempotency/memory'
import {
  createUnsubscribeTokens,
  type Delivery,
  type Mailer,
  type Message,
  type Suppressions,
} from '@stepwright/mail'
import { createMemorySuppressions } from '@stepwright/mail/memory'
import { createMemoryObjectStore } from '@stepwright/object-store/memory'
import { status } from '../campaign.ts'
import {
  type Campaign,
  type CampaignRun,
  type Campaigns,
  lateAfterMinutes as late,
  nothingYet,
  type Recipients,
  type Sending,
} from '../campaigns.ts'
import type { RecipientRow, SendStatus } from '../database.ts'
import { importEndedState, nobodyToResend, PendingRecipientsError, SupersededError } from '../errors.ts'

/** All ports of the app in memory, with what tests look at. */
export function createMemoryPorts({ now = () => 0 }: { now?: () => number } = {}) {
  const store = createMemoryObjectStore({ now })
  const byId = new Map<string, Campaign>()
  const sink = createMemoryRowSink<RecipientRow>({
    conflict: { mode: 'ignore', key: ['campaign_id', 'revision', 'email'] },
    refuse(row) {
      const campaign = byId.get(row.campaign_id)
      if (campaign?.import_revision === row.revision && campaign.status === status.importing) return undefined
      throw Object.assign(new Error('the import has ended or was replaced'), { code: importEndedState })
    },
  })
  const sending = new Map<RecipientRow, SendStatus>()
  const executions = createMemoryExecutions({ now })
  const machine = 'arn:aws:states:us-east-1:000000000000:stateMachine'
  const sendArn = `${machine}:send`
  const sends = createWorkflowExecutions({ executions, stateMachineArn: sendArn })
  const storeOf = () => store
  const campaigns = createMemoryCampaigns(byId, sink, sending, now)
  const suppressions = createMemorySuppressions()
  const mails: Message[] = []
  /** What the mailer answers, by address; all else is sent. */
  const answers = new Map<string, Delivery[]>()
  const waits: number[] = []
  const mailer: Mailer = {
    async send(message) {
      const answer = answers.get(message.to)?.shift()
      if (answer) return answer
      mails.push(message)
      return { kind: 'sent', messageId: `m-${mails.length}` }
    },
  }
  return {
    store,
    storeOf,
    readChunk: createChunkReader({ storeOf, fileError: 'CSVValidationError' }),
    writer: createBatchWriter({ sink, sleep: async () => {}, retryForMs: 0 }),
    ledger: sink.ledger,
    campaigns,
    recipients: createMemoryRecipients(byId, sink, sending, suppressions),
    executions,
    workflow: sends,
    imports: createWorkflowExecutions({ executions, stateMachineArn: `${machine}:import` }),
    sends,
    sendArn,
    remember: campaigns.recordUpload,
    senders: ['example.jp'],
    mailer,
    suppressions,
    tokens: createUnsubscribeTokens([Buffer.alloc(32, 'k')]),
    publicUrl: 'https://example.jp',
    maxSendRate: 2,
    sleep: async (ms: number) => void waits.push(ms),
    uuid: () => 'a-uuid',
    waits,
    mails,
    answers,
    rows: () => sink.rows(),
    /** The names of the executions that were started, with their status. */
    started: () => executions.all().map(execution => [execution.name, execution.status]),
  }
}

function createMemoryCampaigns(
  byId: Map<string, Campaign>,
  sink: MemoryRowSink<RecipientRow>,
  sending: Map<RecipientRow, SendStatus>,
  now: () => number,
): Campaigns {
  const uploads = new Map<string, string>()
  const current = ({ campaign_id, revision }: CampaignRun): Campaign => {
    const campaign = byId.get(campaign_id)
    if (campaign?.revision === revision) return campaign
    throw new SupersededError('no longer the newest')
  }
  const change = (campaign: Campaign, changes: Partial<Campaign>): Campaign => {
    const changed = { ...campaign, ...changes, updated_at: new Date(now()).toISOString() }
    byId.set(campaign.campaign_id, changed)
    return changed
  }
  const isCurrent = ({ campaign_id, revision }: CampaignRun) => byId.get(campaign_id)?.revision === revision

  return {
    async recordUpload(key, owner) {
      uploads.set(key, owner)
    },
    ownerOfUpload: async key => uploads.get(key),
    async register(owner_id, content) {
      const id = `campaign-of-${content.s3_key.replaceAll(/\W/g, '-')}`
      const found = byId.get(id)
      if (found) {
        if (found.subject === content.subject && found.owner_id === owner_id) return found
        throw new ConflictError('the upload belongs to another campaign')
      }
      return change(
        {
          ...content,
          ...nothingYet,
          campaign_id: id,
          owner_id,
          status: status.importing,
          revision: 1,
          import_revision: 1,
          failure_reason: null,
          execution_arn: null,
          restarts: 0,
          updated_at: '',
        },
        {},
      )
    },
    find: async id => byId.get(id),
    async list(owner, before, limit) {
      const own = [...byId.values()].filter(({ owner_id }) => owner_id === owner).toReversed()
      const start = own.findIndex(({ campaign_id }) => campaign_id === before) + 1
      return own.slice(start, start + limit)
    },
    async revise(run, content, reimport) {
      const campaign = byId.get(run.campaign_id)
      const sent: readonly string[] = [status.sending, status.sent]
      const isSent =
        campaign && campaign.sent_count + campaign.claimed_count + campaign.complained_count > 0 && reimport
      if (campaign?.revision !== run.revision || sent.includes(campaign.status) || isSent) {
        throw new ConflictError('changed meanwhile')
      }
      const revision = run.revision + 1
      const anew = reimport && { ...nothingYet, status: status.importing, import_revision: revision }
      const changes = { status: status.scheduled, failure_reason: null, restarts: 0 }
      return change(campaign, { ...changes, ...content, ...anew, revision })
    },
    async late(nowMs) {
      const isBefore = (time: string, minutes: number) => Date.parse(time) < nowMs - minutes * 60_000
      return [...byId.values()].filter(
        campaign =>
          (campaign.status === status.importing && isBefore(campaign.updated_at, late.import)) ||
          (campaign.status === status.scheduled && isBefore(campaign.scheduled_at, late.begin)) ||
          (campaign.status === status.sending && isBefore(campaign.updated_at, late.send)),
      )
    },
    async countRestart(run) {
      const campaign = current(run)
      byId.set(run.campaign_id, { ...campaign, restarts: campaign.restarts + 1 })
      return campaign.restarts + 1
    },
    requireCurrent: async run => current(run),
    async finishImport(run, counts, execution_arn) {
      const campaign = current(run)
      if (campaign.status === status.importFailed) throw new SupersededError('the import has failed')
      if (campaign.status !== status.importing) return campaign
      return change(campaign, { ...counts, status: status.scheduled, execution_arn })
    },
    async failImport(run, failure_reason) {
      if (!isCurrent(run) || current(run).status !== status.importing) return
      change(current(run), { status: status.importFailed, failure_reason })
    },
    async saveExecution(run, execution_arn) {
      if (isCurrent(run)) change(current(run), { execution_arn })
    },
    async beginSending(run) {
      const campaign = current(run)
      if (campaign.status === status.scheduled) return change(campaign, { status: status.sending })
      if (campaign.status === status.sending || campaign.status === status.sent) return campaign
      throw new SupersededError('not imported')
    },
    async stopSending(run, failure_reason) {
      if (!isCurrent(run) || current(run).status !== status.sending) return false
      change(current(run), { status: status.stopped, failure_reason })
      return true
    },
    async resend(run) {
      const campaign = byId.get(run.campaign_id)
      const over: readonly string[] = [status.sent, status.stopped]
      if (
        campaign?.revision !== run.revision ||
        !over.includes(campaign.status) ||
        campaign.claimed_count === 0
      ) {
        throw nobodyToResend()
      }
      for (const row of rowsOf(sink, campaign)) {
        if (sending.get(row) === 'claimed') sending.set(row, 'pending')
      }
      return change(campaign, {
        status: status.scheduled,
        revision: run.revision + 1,
        restarts: 0,
        claimed_count: 0,
        failure_reason: null,
        scheduled_at: new Date(now()).toISOString(),
      })
    },
    async finishSending(run) {
      const campaign = current(run)
      if (campaign.status === status.sent) return campaign
      if (campaign.status !== status.sending) throw new SupersededError('not sending')
      const pending = rowsOf(sink, campaign).some(row => (sending.get(row) ?? 'pending') === 'pending')
      if (pending) throw new PendingRecipientsError('there are recipients who were not sent to')
      return change(campaign, { status: status.sent })
    },
  }
}

function rowsOf(
  sink: MemoryRowSink<RecipientRow>,
  { campaign_id, import_revision }: Omit<Sending, 'revision'>,
) {
  return sink.rows().filter(row => row.campaign_id === campaign_id && row.revision === import_revision)
}

function createMemoryRecipients(
  byId: Map<string, Campaign>,
  sink: MemoryRowSink<RecipientRow>,
  states: Map<RecipientRow, SendStatus>,
  suppressions: Suppressions,
): Recipients {
  const stateOf = (row: RecipientRow) => states.get(row) ?? 'pending'
  const set = (
    sending: Omit<Sending, 'revision'>,
    email: string,
    from: readonly SendStatus[],
    to: SendStatus,
  ) => {
    const row = rowsOf(sink, sending).find(each => each.email === email)
    if (row && from.includes(stateOf(row))) states.set(row, to)
  }
  const count = (sending: Omit<Sending, 'revision'>) => {
    const all = rowsOf(sink, sending).map(stateOf)
    const of = (state: SendStatus) => all.filter(each => each === state).length
    const campaign = byId.get(sending.campaign_id) as Campaign
    byId.set(sending.campaign_id, {
      ...campaign,
      sent_count: of('sent'),
      bounced_count: of('bounced'),
      claimed_count: of('claimed'),
      suppressed_count: of('suppressed'),
      complained_count: of('complained'),
    })
  }
  return {
    async claim(sending, after, limit) {
      const campaign = byId.get(sending.campaign_id)
      if (campaign?.status !== status.sending || campaign.revision !== sending.revision) return []
      const next = rowsOf(sink, sending)
        .filter(row => row.email > after && stateOf(row) === 'pending')
        .toSorted((a, b) => (a.email < b.email ? -1 : 1))
        .slice(0, limit)
      for (const row of next) states.set(row, 'claimed')
      count(sending)
      const suppressed = await suppressions.find(next.map(({ email }) => email))
      return next.map(({ email, name, fields }) => ({
        email,
        name,
        fields,
        suppressed: suppressed.get(email) ?? null,
      }))
    },
    async record(sending, outcomes) {
      for (const outcome of outcomes) {
        const [, state] = Object.keys(outcome) as ['email', SendStatus]
        set(sending, outcome.email, ['claimed'], state)
      }
      count(sending)
    },
    async release(sending, emails) {
      for (const email of emails) set(sending, email, ['claimed', 'bounced'], 'pending')
      count(sending)
    },
    async recordEvents(events) {
      for (const { kind, addresses, tags } of events) {
        const sending = {
          campaign_id: String(tags['campaign_id']),
          import_revision: Number(tags['revision']),
        }
        if (!byId.has(sending.campaign_id) || kind === 'undelivered') continue
        const isSent = kind === 'sent' || kind === 'delivered'
        for (const email of addresses) {
          set(sending, email, isSent ? ['claimed'] : ['claimed', 'sent'], isSent ? 'sent' : kind)
        }
        count(sending)
      }
    },
    takeTurn: async () => 0,
  }
}
