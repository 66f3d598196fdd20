import type { CampaignRun } from './campaigns.ts'

/** The two state machines. An execution's name comes from its run, so that each is started once. */
export interface Workflows {
  /** Starts the import, unless it was started before. */
  startImport(run: CampaignRun, s3Key: string): Promise<void>
  /** Starts the sending, unless it was started before; the execution's ARN in any case. */
  startSend(run: CampaignRun, scheduledAt: string): Promise<string>
  /** Ends both executions of the run, as far as they are there. */
  stop(run: CampaignRun, reason: string): Promise<void>
}
