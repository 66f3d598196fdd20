import { createBatchWriter } from '@stepwright/batch-writer'
import { createMemoryRowSink } from '@stepwright/batch-writer/memory'
import { ConflictError } from '@stepwright/errors'
import { createMemoryObjectStore } from '@stepwright/object-store/memory'
import { type Campaign, status } from '../campaign.ts'
import type { CampaignRun, Campaigns, Recipients } from '../campaigns.ts'
import type { RecipientRow } from '../database.ts'
import { SupersededError } from '../errors.ts'
import { importJob } from '../import-job.ts'
import type { Delivery, Mailer, Message } from '../mailer.ts'
import { createManifestReader } from '../manifest-reader.ts'
import type { Workflows } from '../workflows.ts'

type SendState = { status: 'pending' | 'claimed' } | { status: 'sent' | 'bounced' }

/** All ports of the app in memory, with what tests look at. */
export function createMemoryPorts({ now = () => 0 }: { now?: () => number } = {}) {
  const store = createMemoryObjectStore({ now })
  const sink = createMemoryRowSink<RecipientRow>({
    conflict: { mode: 'ignore', key: ['campaign_id', 'revision', 'email'] },
  })
  const writer = createBatchWriter({ sink, sleep: async () => {}, retryForMs: 0 })
  const campaigns = createMemoryCampaigns(now)
  const recipients = createMemoryRecipients(sink)
  const started: { readonly kind: 'import' | 'send'; readonly run: CampaignRun }[] = []
  const stopped: CampaignRun[] = []
  const workflows: Workflows = {
    async startImport({ campaign_id, revision }) {
      started.push({ kind: 'import', run: { campaign_id, revision } })
    },
    async startSend({ campaign_id, revision }) {
      started.push({ kind: 'send', run: { campaign_id, revision } })
      return `arn:send:${campaign_id}:${revision}`
    },
    async stop({ campaign_id, revision }) {
      stopped.push({ campaign_id, revision })
    },
  }
  const mails: Message[] = []
  /** What the mailer answers, by address; all else is sent. */
  const answers = new Map<string, Delivery[]>()
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
    readManifest: createManifestReader(store),
    writer,
    campaigns,
    recipients,
    workflows,
    mailer,
    maxSendRate: 2,
    maxRejectedRows: 3,
    sleep: async () => {},
    uuid: () => 'a-uuid',
    started,
    stopped,
    mails,
    answers,
  }
}

function createMemoryCampaigns(now: () => number): Campaigns {
  const uploads = new Map<string, string>()
  const byId = new Map<string, Campaign>()

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
      const nothing = { row_count: null, total_count: null, duplicate_count: null, rejected_count: null }
      return change(
        {
          ...content,
          ...nothing,
          campaign_id: id,
          owner_id,
          status: status.importing,
          revision: 1,
          import_revision: 1,
          rejected_rows: null,
          failure_reason: null,
          execution_arn: null,
          updated_at: '',
        },
        {},
      )
    },
    find: async id => byId.get(id),
    async revise(run, content, reimport) {
      const campaign = byId.get(run.campaign_id)
      const sent: readonly string[] = [status.sending, status.sent]
      if (campaign?.revision !== run.revision || sent.includes(campaign.status)) {
        throw new ConflictError('changed meanwhile')
      }
      const revision = run.revision + 1
      const anew = { status: status.importing, import_revision: revision, failure_reason: null }
      return change(campaign, { ...content, revision, ...(reimport && anew) })
    },
    stale: async beforeMs =>
      [...byId.values()].filter(
        campaign => campaign.status === status.importing && Date.parse(campaign.updated_at) < beforeMs,
      ),
    requireCurrent: async run => current(run),
    async saveRowCount(run, row_count) {
      if (isCurrent(run)) change(current(run), { row_count })
    },
    async finishImport(run, { total, duplicates, rejected, rejectedRows }) {
      const campaign = current(run)
      if (campaign.status === status.importFailed) throw new SupersededError('the import has failed')
      if (campaign.status !== status.importing) return campaign
      return change(campaign, {
        status: status.scheduled,
        total_count: total,
        duplicate_count: duplicates,
        rejected_count: rejected,
        rejected_rows: rejectedRows,
      })
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
    async finishSending(run) {
      if (isCurrent(run)) change(current(run), { status: status.sent })
    },
  }
}

function createMemoryRecipients(sink: ReturnType<typeof createMemoryRowSink<RecipientRow>>): Recipients {
  const deleted = new Set<RecipientRow>()
  const sending = new Map<RecipientRow, SendState['status']>()
  const all = ({ campaign_id }: CampaignRun) =>
    sink.rows().filter(row => row.campaign_id === campaign_id && !deleted.has(row))
  const ofRun = (run: CampaignRun) => all(run).filter(row => row.revision === run.revision)
  const remove = (rows: readonly RecipientRow[], limit: number): number => {
    for (const row of rows.slice(0, limit)) deleted.add(row)
    return Math.min(rows.length, limit)
  }
  const stateOf = (row: RecipientRow) => sending.get(row) ?? 'pending'
  const set = (run: CampaignRun, email: string, state: SendState['status']) => {
    const row = ofRun(run).find(each => each.email === email)
    if (row) sending.set(row, state)
  }
  return {
    deleteEarlier: async (run, limit) =>
      remove(
        all(run).filter(row => row.revision < run.revision),
        limit,
      ),
    deleteAll: async (run, limit) =>
      remove(
        all(run).filter(row => row.revision <= run.revision),
        limit,
      ),
    async summarize(run, shownRows) {
      const records = sink.records().filter(record => record.jobId === importJob(run))
      const sum = (name: 'duplicates' | 'unchanged' | 'rejected') =>
        records.reduce((total, { counts }) => total + counts[name], 0)
      return {
        total: ofRun(run).length,
        duplicates: sum('duplicates') + sum('unchanged'),
        rejected: sum('rejected'),
        rejectedRows: records
          .flatMap(({ rejected }) => rejected.map(({ rowNumber, reason }) => ({ row: rowNumber, reason })))
          .slice(0, shownRows),
      }
    },
    async claim(run, after, limit) {
      const next = ofRun(run)
        .filter(row => row.email > after && stateOf(row) === 'pending')
        .toSorted((a, b) => (a.email < b.email ? -1 : 1))
        .slice(0, limit)
      for (const row of next) sending.set(row, 'claimed')
      return next
    },
    async record(run, outcomes) {
      for (const outcome of outcomes) set(run, outcome.email, 'sent' in outcome ? 'sent' : 'bounced')
    },
    async release(run, emails) {
      for (const email of emails) set(run, email, 'pending')
    },
    async countSent(run) {
      const count = (state: SendState['status']) => ofRun(run).filter(row => stateOf(row) === state).length
      return {
        pending: count('pending'),
        unconfirmed: count('claimed'),
        sent: count('sent'),
        bounced: count('bounced'),
      }
    },
  }
}
