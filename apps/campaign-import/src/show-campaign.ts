import { NotFoundError } from '@stepwright/errors'
import { defineTask } from '@stepwright/task'
import * as z from 'zod/mini'
import { type Campaign, status } from './campaign.ts'
import type { Recipients, SendCounts } from './campaigns.ts'
import type { RecipientPorts } from './delete-existing-recipients.ts'
import { databaseErrors } from './errors.ts'
import { findOwnCampaign } from './find-own-campaign.ts'
import { campaignId } from './schemas.ts'

const count = z.nullable(z.int())

const view = z.object({
  campaign_id: z.string(),
  status: z.enum(status),
  subject: z.string(),
  scheduled_at: z.string(),
  total_count: count,
  duplicate_count: count,
  rejected_count: count,
  rejected_rows: z.array(z.object({ row: z.int(), reason: z.string() })),
  /** From 0 to 100, of the import or of the sending. */
  progress: z.number(),
  sending: z.nullable(z.object({ sent: z.int(), bounced: z.int(), unconfirmed: z.int(), pending: z.int() })),
  failure_reason: z.nullable(
    z.object({
      error: z.string(),
      message: z.string(),
      code: z.optional(z.string()),
      details: z.optional(z.record(z.string(), z.unknown())),
    }),
  ),
})

/** GET /campaigns/{id}: how far it is. */
export const showCampaign = defineTask({
  name: 'show-campaign',
  input: z.object({ caller: z.string(), id: campaignId }),
  output: view,
  errors: [NotFoundError, ...databaseErrors],
  async run({ caller, id }, { campaigns, recipients }: RecipientPorts) {
    const campaign = await findOwnCampaign(campaigns, id, caller)
    const { campaign_id, subject, scheduled_at, total_count, duplicate_count, rejected_count } = campaign
    const sending = hasBegun(campaign) ? await recipients.countSent(importOf(campaign)) : null
    return {
      campaign_id,
      status: campaign.status,
      subject,
      scheduled_at,
      total_count,
      duplicate_count,
      rejected_count,
      rejected_rows: [...(campaign.rejected_rows ?? [])],
      progress: sending ? progressOf(sending) : await importProgress(campaign, recipients),
      sending,
      failure_reason: campaign.failure_reason,
    }
  },
})

function importOf({ campaign_id, import_revision }: Campaign) {
  return { campaign_id, revision: import_revision }
}

function hasBegun(campaign: Campaign): boolean {
  return campaign.status === status.sending || campaign.status === status.sent
}

async function importProgress(campaign: Campaign, recipients: Recipients): Promise<number> {
  if (campaign.status !== status.importing) return campaign.status === status.scheduled ? 100 : 0
  if (!campaign.row_count) return 0
  const { total, duplicates, rejected } = await recipients.summarize(importOf(campaign), 0)
  return percent(total + duplicates + rejected, campaign.row_count)
}

function progressOf({ pending, sent, bounced, unconfirmed }: SendCounts): number {
  const settled = sent + bounced + unconfirmed
  return percent(settled, settled + pending)
}

function percent(part: number, whole: number): number {
  return whole === 0 ? 100 : Math.min(100, Math.floor((part * 1000) / whole) / 10)
}
