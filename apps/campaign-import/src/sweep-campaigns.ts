import { isAtWork, type WorkflowExecutions } from '@stepwright/idempotency'
import { defineTask } from '@stepwright/task'
import * as z from 'zod/mini'
import { type CampaignStatus, status } from './campaign.ts'
import type { Campaign, Campaigns } from './campaigns.ts'
import { databaseErrors, serviceErrors } from './errors.ts'
import { importName, sendName } from './execution-names.ts'
import { startImport, startSend } from './workflows.ts'

export interface SweepPorts {
  readonly campaigns: Campaigns
  readonly imports: Pick<WorkflowExecutions, 'start' | 'describe'>
  readonly sends: Pick<WorkflowExecutions, 'start' | 'describe'>
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
  async run(_, { campaigns, imports, sends }: SweepPorts, { now, logger, metrics }) {
    const late = await campaigns.late(now())
    const stale_imports = idsOf(late, [status.importing])
    const overdue_sends = idsOf(late, [status.scheduled, status.sending, status.stopped])
    metrics.add('StaleImports', stale_imports.length)
    metrics.add('OverdueSends', overdue_sends.length)
    const restarted: string[] = []
    for (const campaign of late) {
      const { campaign_id, revision, updated_at: since } = campaign
      logger.warn('campaign is late', { campaign_id, revision, status: campaign.status, since })
      const [workflow, name, start] =
        campaign.status === status.importing
          ? ([imports, importName(campaign), startImport] as const)
          : ([sends, sendName(campaign), startSend] as const)
      const last = await workflow.describe(name, { restart: campaign.restarts })
      if (campaign.restarts >= maxRestarts || isAtWork(last)) continue
      await start(workflow, campaign, await campaigns.countRestart(campaign))
      restarted.push(campaign_id)
    }
    return { stale_imports, overdue_sends, restarted }
  },
})

function idsOf(late: readonly Campaign[], wanted: readonly CampaignStatus[]): string[] {
  return late.filter(campaign => wanted.includes(campaign.status)).map(({ campaign_id }) => campaign_id)
}
