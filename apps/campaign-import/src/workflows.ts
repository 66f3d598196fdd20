import { type Executions, executionArnOf, isAtWork as isRunning } from '@stepwright/idempotency'
import { status } from './campaign.ts'
import type { Campaign, CampaignRun } from './campaigns.ts'
import { importName, sendName } from './execution-names.ts'

/** The two state machines. */
export interface Workflows {
  readonly executions: Executions
  readonly importArn: string
  readonly sendArn: string
}

/** Starts the workflow that a campaign in this status needs, unless it was started before; its ARN. */
export async function startWorkflow(
  { executions, importArn, sendArn }: Workflows,
  { campaign_id, revision, s3_key, s3_etag, scheduled_at, ...campaign }: Campaign,
  restart = 0,
): Promise<string> {
  const run = { campaign_id, revision }
  const request =
    campaign.status === status.importing
      ? { stateMachineArn: importArn, name: importName(run, restart), input: { ...run, s3_key, s3_etag } }
      : { stateMachineArn: sendArn, name: sendName(run, restart), input: { ...run, scheduled_at } }
  return (await executions.start(request)).executionArn
}

/** Whether the workflow that was started last for the campaign is at work. */
export async function isAtWork(workflows: Workflows, campaign: Campaign): Promise<boolean> {
  const [importArn, sendArn] = executionsOf(workflows, campaign, campaign.restarts)
  const execution = await workflows.executions.describe(
    campaign.status === status.importing ? importArn : sendArn,
  )
  return isRunning(execution)
}

/** Ends all executions of the run, as far as they are there. */
export async function stopWorkflows(workflows: Workflows, campaign: Campaign, cause: string): Promise<void> {
  for (let restart = 0; restart <= campaign.restarts; restart += 1) {
    for (const executionArn of executionsOf(workflows, campaign, restart)) {
      await workflows.executions.stop({ executionArn, error: 'SupersededError', cause })
    }
  }
}

function executionsOf(
  { importArn, sendArn }: Workflows,
  run: CampaignRun,
  restart: number,
): readonly [string, string] {
  return [
    executionArnOf(importArn, importName(run, restart)),
    executionArnOf(sendArn, sendName(run, restart)),
  ]
}
