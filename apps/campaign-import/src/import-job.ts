import type { CampaignRun } from './campaigns.ts'

/** The job under which the ledger keeps an import's chunks. */
export function importJob({ campaign_id, revision }: CampaignRun): string {
  return `campaign-import:${campaign_id}:${revision}`
}
