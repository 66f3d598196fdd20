import type { CampaignRun } from './campaigns.ts'

/** An execution's name comes from its run, so that each is started once. */
export function importName({ campaign_id, revision }: CampaignRun): string {
  return `import-${campaign_id}-${revision}`
}

export function sendName({ campaign_id, revision }: CampaignRun): string {
  return `send-${campaign_id}-${revision}`
}

/** The job under which the ledger keeps an import's chunks. */
export function importJob({ campaign_id, revision }: CampaignRun): string {
  return `campaign-import:${campaign_id}:${revision}`
}

/** How `splitCsv` names the import's manifest; the state machine says the same. */
export function splitId({ campaign_id, revision }: CampaignRun): string {
  return `${campaign_id}-${revision}`
}
