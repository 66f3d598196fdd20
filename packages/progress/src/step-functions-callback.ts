import { SendTaskHeartbeatCommand, SendTaskSuccessCommand, type SFNClient } from '@aws-sdk/client-sfn'
import { anObject, assertOptions } from '@stepwright/errors/options'
import type { TaskCallback } from './task-callback.ts'

type Client = Pick<SFNClient, 'send'>

export interface StepFunctionsCallbackOptions {
  readonly client: Client
}

/** Answers states of Step Functions. */
export function createStepFunctionsCallback(options: StepFunctionsCallbackOptions): TaskCallback {
  assertOptions('createStepFunctionsCallback', options, { client: anObject })
  const { client } = options
  return {
    heartbeat: taskToken => isHeard(client.send(new SendTaskHeartbeatCommand({ taskToken }))),
    succeed: (taskToken, output) =>
      isHeard(client.send(new SendTaskSuccessCommand({ taskToken, output: JSON.stringify(output) }))),
  }
}

const gone = ['TaskTimedOut', 'TaskDoesNotExist', 'InvalidToken']

async function isHeard(answer: Promise<unknown>): Promise<boolean> {
  try {
    await answer
    return true
  } catch (error) {
    if (error instanceof Error && gone.includes(error.name)) return false
    throw error
  }
}
