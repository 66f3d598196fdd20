import { SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn'
import type { Executions } from './start-processing.ts'

export function createStepFunctionsExecutions(stateMachineArn: string): Executions {
  const client = new SFNClient({})
  return {
    async start(name, input, signal) {
      try {
        await client.send(new StartExecutionCommand({ stateMachineArn, name, input }), {
          abortSignal: signal,
        })
        return true
      } catch (error) {
        if ((error as Error).name === 'ExecutionAlreadyExists') return false
        throw error
      }
    },
  }
}
