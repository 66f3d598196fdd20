import { createHash } from 'node:crypto'
import { createBatchWriter } from '@stepwright/batch-writer'
import { createMemoryRowSink } from '@stepwright/batch-writer/memory'
import { createChunkReader } from '@stepwright/csv-chunker/tasks'
import { ConflictError } from '@stepwright/errors'
import { createWorkflowExecutions } from '@stepwright/idempotency'
import { createMemoryExecutions } from '@stepwright/idempotency/memory'
import { createUnsubscribeTokens, type Delivery, type Mailer, type Message } from '@stepwright/mail'
import { createMemoryOutbox, createMemorySuppressions, type MemoryOutbox } from '@stepwright/mail/memory'
import { createMemoryObjectStore } from '@stepwright/object-store/memory'
import { type Recipient, status } from '../campaign.ts'
import {
  type Campaign,
  type CampaignRun,
  type Campaigns,
  isSending,
  lateAfterMinutes as late,
  nothingYet,
} from '../campaigns.ts'
import type { RecipientRow } from '../database.ts'
import {
  importEndedState,
  nobodyToResend,
  PendingRecipientsError,
  SupersededError,
  senderAtWork,
} from '../errors.ts'
import { createEventRecorder, mailingOf } from '../mailing.ts'

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
  const executions = createMemoryExecutions({ now })
  const machine = 'arn:aws:states:us-east-1:000000000000:stateMachine'
  const sendArn = `${machine}:send`
  const sends = createWorkflowExecutions({ executions, stateMachineArn: sendArn })
  const storeOf = () => store
  const suppressions = createMemorySuppressions()
  const outbox = createMemoryOutbox<Recipient>({
    recipientsOf: ({ recipients: { campaign_id, revision } }) =>
      sink.rows().filter(row => row.campaign_id === campaign_id && row.revision === revision),
    isOpen({ mailing, while: facts }) {
      const campaign = byId.get(String(mailing['campaign_id']))
      return Object.entries(facts).every(([name, value]) => campaign?.[name as keyof Campaign] === value)
    },
    onChange({ mailing }, counts) {
      const campaign = byId.get(String(mailing['campaign_id']))
      if (!campaign) return
      const changed = Object.entries(counts).map(([state, count]) => [`${state}_count`, count])
      byId.set(campaign.campaign_id, { ...campaign, ...Object.fromEntries(changed) })
    },
    suppressions,
    now,
  })
  const campaigns = createMemoryCampaigns(byId, outbox, now)
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
    outbox,
    recordEvents: createEventRecorder({ recordEvents: events => outbox.recordEvents(events) }),
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
  outbox: MemoryOutbox<Recipient>,
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
  const isoNow = () => new Date(now()).toISOString()
  const isResend = (campaign: Campaign | undefined) => campaign?.resend_revision === campaign?.revision
  const endResend = async (run: CampaignRun) => {
    const campaign = current(run)
    if (!isResend(campaign)) return
    await outbox.forgetChosen(mailingOf(campaign))
    change(current(run), { resend_revision: null })
  }
  const isCurrent = ({ campaign_id, revision }: CampaignRun) => byId.get(campaign_id)?.revision === revision

  return {
    async recordUpload(key, owner) {
      uploads.set(key, owner)
    },
    ownerOfUpload: async key => uploads.get(key),
    async register(owner_id, content) {
      const hash = createHash('sha256').update(content.s3_key).digest('hex')
      const id = hash.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*/, '$1-$2-$3-$4-$5')
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
          resend_revision: null,
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
      const sent: readonly string[] = [status.sending, status.sent, status.cancelled]
      const {
        sent_count = 0,
        sending_count = 0,
        unconfirmed_count = 0,
        complained_count = 0,
      } = campaign ?? {}
      const isSent = reimport && sent_count + sending_count + unconfirmed_count + complained_count > 0
      if (campaign?.revision !== run.revision || sent.includes(campaign.status) || isSent) {
        throw new ConflictError('changed meanwhile')
      }
      await endResend(run)
      const revision = run.revision + 1
      const anew = reimport && { ...nothingYet, status: status.importing, import_revision: revision }
      const changes = { status: status.scheduled, failure_reason: null, restarts: 0 }
      return change(current(run), { ...changes, ...content, ...anew, revision })
    },
    async late(nowMs) {
      const isBefore = (time: string, minutes: number) => Date.parse(time) < nowMs - minutes * 60_000
      return [...byId.values()].filter(
        campaign =>
          (campaign.status === status.importing && isBefore(campaign.updated_at, late.import)) ||
          (campaign.status === status.scheduled && isBefore(campaign.scheduled_at, late.begin)) ||
          ((campaign.status === status.sending || isResend(campaign)) &&
            isBefore(campaign.updated_at, late.send)),
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
      if (isSending(campaign)) return campaign
      throw new SupersededError('not imported')
    },
    async stopSending(run, failure_reason) {
      const campaign = byId.get(run.campaign_id)
      const isActive = campaign?.status === status.sending || isResend(campaign)
      if (!isCurrent(run) || !isActive) return false
      await endResend(run)
      change(current(run), { status: status.stopped, failure_reason })
      return true
    },
    async resend(run) {
      const campaign = byId.get(run.campaign_id)
      const over: readonly string[] = [status.sent, status.stopped]
      const isOver = campaign?.revision === run.revision && over.includes(campaign.status)
      if (!isOver || isResend(campaign)) throw nobodyToResend()
      const { chosen, inFlight } = await outbox.chooseUnconfirmed(mailingOf(campaign))
      if (inFlight > 0) throw senderAtWork(inFlight)
      if (chosen === 0) throw nobodyToResend()
      const revision = run.revision + 1
      const scheduled = { status: status.scheduled, failure_reason: null, scheduled_at: isoNow() }
      return change(byId.get(run.campaign_id) as Campaign, {
        revision,
        resend_revision: revision,
        restarts: 0,
        ...(campaign.status === status.sent && scheduled),
      })
    },
    async finishSending(run) {
      const campaign = current(run)
      if (campaign.status === status.sent) return campaign
      if (!isSending(campaign)) throw new SupersededError('not sending')
      const left = isResend(campaign) ? ['resend'] : ['pending', 'resend']
      const states = Object.values(outbox.statesOf(mailingOf(campaign)))
      if (states.some(state => left.includes(state))) {
        throw new PendingRecipientsError('there are recipients who were not sent to')
      }
      const ended = campaign.status === status.sending ? { status: status.sent } : {}
      return change(campaign, { ...ended, resend_revision: null })
    },
    async cancel(run) {
      const campaign = byId.get(run.campaign_id)
      const from: readonly (string | undefined)[] = [status.importing, status.scheduled, status.stopped]
      if (!isCurrent(run) || !from.includes(campaign?.status)) throw new ConflictError('cannot be cancelled')
      await endResend(run)
      const changes = { status: status.cancelled, revision: run.revision + 1, failure_reason: null }
      return change(current(run), changes)
    },
  }
}
