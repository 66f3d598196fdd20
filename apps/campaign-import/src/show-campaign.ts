import type { ChunkLedger } from '@stepwright/batch-writer'
import { readManifest } from '@stepwright/csv-chunker/tasks'
import { NotFoundError } from '@stepwright/errors'
import { writeSender } from '@stepwright/mail'
import { defineTask } from '@stepwright/task'
import * as z from 'zod/mini'
import { status } from './campaign.ts'
import type { Campaign, CampaignRun, Campaigns } from './campaigns.ts'
import { databaseErrors, serviceErrors } from './errors.ts'
import { importJob, splitId } from './execution-names.ts'
import { findOwnCampaign } from './find-own-campaign.ts'
import { campaignId, counts, summary } from './schemas.ts'

export interface ShowPorts {
  readonly campaigns: Campaigns
  readonly ledger: Pick<ChunkLedger, 'summarize'>
  readonly store: Parameters<typeof readManifest>[0]
}

const count = z.nullable(z.int())
const view = z.object({
  ...summary.shape,
  duplicate_count: count,
  rejected_count: count,
  rejected_rows: counts.shape.rejected_rows,
  /** From 0 to 100, of the import or of the sending. */
  progress: z.number(),
  /** Whether it is sent once more to those who were unconfirmed, whatever the status. */
  resending: z.boolean(),
  sending: z.nullable(
    z.object({
      sent: z.int(),
      bounced: z.int(),
      complained: z.int(),
      suppressed: z.int(),
      unconfirmed: z.int(),
      pending: z.int(),
    }),
  ),
  /** As a PUT has it. */
  content: z.optional(
    z.object({
      subject: z.string(),
      body_html: z.string(),
      body_text: z.string(),
      from_address: z.string(),
      scheduled_at: z.string(),
      s3_key: z.string(),
    }),
  ),
  failure_reason: z.nullable(
    z.object({
      error: z.string(),
      message: z.string(),
      code: z.optional(z.string()),
      details: z.optional(z.record(z.string(), z.unknown())),
    }),
  ),
})

/** GET /campaigns/{id}: how far it is, and with `?content=true` what it says. No recipient is counted for it. */
export const showCampaign = defineTask({
  name: 'show-campaign',
  input: z.object({ caller: z.string(), id: campaignId, content: z.optional(z.literal('true')) }),
  output: view,
  errors: [NotFoundError, ...databaseErrors, ...serviceErrors],
  async run({ caller, id, content }, ports: ShowPorts) {
    const campaign = await findOwnCampaign(ports.campaigns, id, caller)
    const { total_count, sent_count: sent, bounced_count: bounced } = campaign
    // In flight with a sender that died: nobody will confirm them once the sending is over.
    const unconfirmed = campaign.unconfirmed_count + campaign.sending_count
    const { complained_count: complained, suppressed_count: suppressed } = campaign
    const settled = sent + bounced + complained + suppressed + unconfirmed
    const pending = (total_count ?? 0) - settled
    const hasBegun: readonly string[] = [status.sending, status.stopped, status.sent, status.cancelled]
    const sending =
      hasBegun.includes(campaign.status) && total_count !== null
        ? { sent, bounced, complained, suppressed, unconfirmed, pending }
        : null
    return {
      ...campaign,
      rejected_rows: [...(campaign.rejected_rows ?? [])],
      progress: sending ? percent(settled, total_count ?? 0) : await importProgress(campaign, ports),
      resending: campaign.resend_revision === campaign.revision,
      sending,
      ...(content && { content: { ...campaign, from_address: writeSender(campaign) } }),
    }
  },
})

async function importProgress(campaign: Campaign, { ledger, store }: ShowPorts): Promise<number> {
  if (campaign.status !== status.importing) return campaign.status === status.scheduled ? 100 : 0
  const run: CampaignRun = { campaign_id: campaign.campaign_id, revision: campaign.import_revision }
  const manifest = await readManifest(store, `chunks/${splitId(run)}/manifest.json`)
  if (!manifest?.rowCount) return 0
  const { counts: imported } = await ledger.summarize(importJob(run), { maxRejectedRows: 0 })
  return percent(imported.received, manifest.rowCount)
}

function percent(part: number, whole: number): number {
  return whole === 0 ? 100 : Math.min(100, Math.floor((part * 1000) / whole) / 10)
}
