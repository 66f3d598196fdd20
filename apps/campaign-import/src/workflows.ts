import type { StartedExecution, WorkflowExecutions } from '@stepwright/idempotency'
import type { Campaign } from './campaigns.ts'
import { importName, sendName } from './execution-names.ts'

export interface Stopping {
  readonly imports: Pick<WorkflowExecutions, 'stop'>
  readonly sends: Pick<WorkflowExecutions, 'stop'>
}

export type Starting = Pick<WorkflowExecutions, 'start'>

/** Starts the import of a campaign, unless it was started before. */
export function startImport(
  imports: Starting,
  { campaign_id, revision, s3_key, s3_etag }: Campaign,
  restart = 0,
): Promise<StartedExecution> {
  const input = { campaign_id, revision, s3_key, s3_etag }
  return imports.start({ name: importName(input), restart, input })
}

/** Starts the workflow that waits until a campaign's time has come and sends it, unless it was started before. */
export function startSend(
  sends: Starting,
  { campaign_id, revision, scheduled_at }: Campaign,
  restart = 0,
): Promise<StartedExecution> {
  const input = { campaign_id, revision, scheduled_at }
  return sends.start({ name: sendName(input), restart, input })
}

/** Ends all executions of the run, as far as they are there. */
export async function stopWorkflows(
  { imports, sends }: Stopping,
  { restarts, ...run }: Pick<Campaign, 'campaign_id' | 'revision' | 'restarts'>,
  cause: string,
): Promise<void> {
  const why = { restarts, error: 'SupersededError', cause }
  await imports.stop({ name: importName(run), ...why })
  await sends.stop({ name: sendName(run), ...why })
}
