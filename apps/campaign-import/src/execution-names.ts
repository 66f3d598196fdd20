import type { CampaignRun } from './campaigns.ts'

/** An execution's name comes from its run, so that each is started once; `restart` is for the sweep. */
export function importName(run: CampaignRun, restart = 0): string {
  return nameOf('import', run, restart)
}

export function sendName(run: CampaignRun, restart = 0): string {
  return nameOf('send', run, restart)
}

function nameOf(kind: string, { campaign_id, revision }: CampaignRun, restart: number): string {
  return `${kind}-${campaign_id}-${revision}${restart > 0 ? `-${restart}` : ''}`
}

/** The job under which the ledger keeps an import's chunks. */
export function importJob({ campaign_id, revision }: CampaignRun): string {
  return `campaign-import:${campaign_id}:${revision}`
}

/** How `splitCsv` names the import's manifest; the state machine says the same. */
export function splitId({ campaign_id, revision }: CampaignRun): string {
  return `${campaign_id}-${revision}`
}
