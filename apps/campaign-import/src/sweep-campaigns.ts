import { defineTask } from '@stepwright/task'
import * as z from 'zod/mini'
import { type CampaignStatus, status } from './campaign.ts'
import type { Campaign, Campaigns } from './campaigns.ts'
import { databaseErrors, serviceErrors } from './errors.ts'
import { isAtWork, startWorkflow, type Workflows } from './workflows.ts'

export interface SweepPorts {
  readonly campaigns: Campaigns
  readonly workflows: Workflows
}

/** After so many, only people can help. */
const maxRestarts = 3
const ids = z.array(z.string())

/**
 * For a schedule: finds campaigns that are late, counts them for the alarms, and starts the workflow of each anew,
 * where none is at work. Whatever it had done is not done again.
 */
export const sweepCampaigns = defineTask({
  name: 'sweep-campaigns',
  idempotent: true,
  input: z.object({}),
  output: z.object({ stale_imports: ids, overdue_sends: ids, restarted: ids }),
  errors: [...databaseErrors, ...serviceErrors],
  async run(_, { campaigns, workflows }: SweepPorts, { now, logger, metrics }) {
    const late = await campaigns.late(now())
    const stale_imports = idsOf(late, [status.importing])
    const overdue_sends = idsOf(late, [status.scheduled, status.sending])
    metrics.add('StaleImports', stale_imports.length)
    metrics.add('OverdueSends', overdue_sends.length)
    const restarted: string[] = []
    for (const campaign of late) {
      const { campaign_id, revision, updated_at: since } = campaign
      logger.warn('campaign is late', { campaign_id, revision, status: campaign.status, since })
      if (campaign.restarts >= maxRestarts || (await isAtWork(workflows, campaign))) continue
      await startWorkflow(workflows, campaign, await campaigns.countRestart(campaign))
      restarted.push(campaign_id)
    }
    return { stale_imports, overdue_sends, restarted }
  },
})

function idsOf(late: readonly Campaign[], wanted: readonly CampaignStatus[]): string[] {
  return late.filter(campaign => wanted.includes(campaign.status)).map(({ campaign_id }) => campaign_id)
}
