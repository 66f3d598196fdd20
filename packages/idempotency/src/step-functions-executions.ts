import {
  DescribeExecutionCommand,
  type DescribeExecutionOutput,
  type SFNClient,
  StartExecutionCommand,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn'
import { checkStart, executionArnOf } from './execution-request.ts'
import type { Execution, ExecutionCallOptions, Executions } from './executions.ts'
import { lazily } from './lazy-client.ts'

type Client = Pick<SFNClient, 'send'>

export interface StepFunctionsExecutionsOptions {
  /** A client, or how to make one when it is first needed. */
  readonly client: Client | (() => Client)
}

/** Executions of Step Functions. */
export function createStepFunctionsExecutions({ client }: StepFunctionsExecutionsOptions): Executions {
  const connect = lazily(client)
  return {
    async start(request, options) {
      const { stateMachineArn, name } = request
      const command = new StartExecutionCommand({ stateMachineArn, name, input: checkStart(request) })
      const executionArn = executionArnOf(stateMachineArn, name)
      try {
        const answer = await connect().send(command, toHttpOptions(options))
        return { executionArn: answer.executionArn ?? executionArn, started: true }
      } catch (error) {
        if (!isNamed(error, 'ExecutionAlreadyExists')) throw error
        return { executionArn, started: false }
      }
    },
    async stop({ executionArn, error, cause }, options) {
      try {
        await connect().send(new StopExecutionCommand({ executionArn, error, cause }), toHttpOptions(options))
      } catch (thrown) {
        if (!isNamed(thrown, 'ExecutionDoesNotExist')) throw thrown
      }
    },
    async describe(executionArn, options) {
      try {
        const command = new DescribeExecutionCommand({ executionArn })
        return toExecution(await connect().send(command, toHttpOptions(options)))
      } catch (thrown) {
        if (!isNamed(thrown, 'ExecutionDoesNotExist')) throw thrown
        return undefined
      }
    },
  }
}

function toExecution(answer: DescribeExecutionOutput): Execution {
  const { executionArn = '', name = '', status, startDate, stopDate, input, output, error, cause } = answer
  return {
    executionArn,
    name,
    status: status as Execution['status'],
    startedAtMs: Number(startDate),
    ...(stopDate && { stoppedAtMs: Number(stopDate) }),
    ...(input !== undefined && { input: JSON.parse(input) }),
    ...(output !== undefined && { output: JSON.parse(output) }),
    ...(error !== undefined && { error }),
    ...(cause !== undefined && { cause }),
  }
}

function toHttpOptions({ signal }: ExecutionCallOptions = {}): { abortSignal?: AbortSignal } {
  return signal ? { abortSignal: signal } : {}
}

function isNamed(error: unknown, name: string): boolean {
  return error instanceof Error && error.name === name
}
