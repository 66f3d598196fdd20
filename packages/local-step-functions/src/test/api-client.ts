import * as sfn from '@aws-sdk/client-sfn'
import { expect } from 'vitest'
import type { StepFunctions } from '../index.ts'

export const role = 'arn:aws:iam::000000000000:role/r'
export const pass: string = machine({ P: { Type: 'Pass', End: true } })
export const waits: string = machine({ W: { Type: 'Wait', Seconds: 3600, End: true } })

export function machine(states: object, more: object = {}): string {
  return JSON.stringify({ StartAt: Object.keys(states)[0], States: states, ...more })
}

/** The few calls that most tests of the API begin with. */
export interface ApiClient {
  readonly client: sfn.SFNClient
  create(
    name: string,
    definition: string,
    more?: Partial<sfn.CreateStateMachineCommandInput>,
  ): Promise<string>
  start(stateMachineArn: string, more?: Partial<sfn.StartExecutionCommandInput>): Promise<string>
  ended(executionArn: string): Promise<sfn.DescribeExecutionCommandOutput>
}

export function createApiClient(server: StepFunctions): ApiClient {
  const client = new sfn.SFNClient({ ...server.clientConfig, maxAttempts: 1 })
  const describe = (executionArn: string) => client.send(new sfn.DescribeExecutionCommand({ executionArn }))
  return {
    client,
    async create(name, definition, more = {}) {
      const { stateMachineArn = '' } = await client.send(
        new sfn.CreateStateMachineCommand({ name, definition, roleArn: role, ...more }),
      )
      return stateMachineArn
    },
    async start(stateMachineArn, more = {}) {
      const { executionArn = '' } = await client.send(
        new sfn.StartExecutionCommand({ stateMachineArn, ...more }),
      )
      return executionArn
    },
    async ended(executionArn) {
      await expect
        .poll(() => describe(executionArn), { timeout: 20_000, interval: 10 })
        .not.toMatchObject({ status: 'RUNNING' })
      return describe(executionArn)
    },
  }
}
