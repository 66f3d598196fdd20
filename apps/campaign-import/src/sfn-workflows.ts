import { SFNClient, StartExecutionCommand, StopExecutionCommand } from '@aws-sdk/client-sfn'
import type { CampaignRun } from './campaigns.ts'
import type { Workflows } from './workflows.ts'

export interface SfnWorkflowsOptions {
  readonly importArn: string
  readonly sendArn: string
  readonly client?: SFNClient
}

export function createSfnWorkflows({
  importArn,
  sendArn,
  client = new SFNClient({}),
}: SfnWorkflowsOptions): Workflows {
  async function start(stateMachineArn: string, name: string, input: object): Promise<string> {
    const command = new StartExecutionCommand({ stateMachineArn, name, input: JSON.stringify(input) })
    try {
      const { executionArn = executionOf(stateMachineArn, name) } = await client.send(command)
      return executionArn
    } catch (error) {
      // One of this name has run already, to its end: that is what the name is for.
      if ((error as Error).name !== 'ExecutionAlreadyExists') throw error
      return executionOf(stateMachineArn, name)
    }
  }

  async function stop(executionArn: string, cause: string): Promise<void> {
    try {
      await client.send(new StopExecutionCommand({ executionArn, error: 'SupersededError', cause }))
    } catch (error) {
      if ((error as Error).name !== 'ExecutionDoesNotExist') throw error
    }
  }

  return {
    async startImport(run, s3_key) {
      await start(importArn, nameOf('import', run), { ...run, s3_key })
    },
    startSend: (run, scheduled_at) => start(sendArn, nameOf('send', run), { ...run, scheduled_at }),
    async stop(run, reason) {
      await stop(executionOf(importArn, nameOf('import', run)), reason)
      await stop(executionOf(sendArn, nameOf('send', run)), reason)
    },
  }
}

function nameOf(kind: 'import' | 'send', { campaign_id, revision }: CampaignRun): string {
  return `${kind}-${campaign_id}-${revision}`
}

function executionOf(stateMachineArn: string, name: string): string {
  return `${stateMachineArn.replace(':stateMachine:', ':execution:')}:${name}`
}
