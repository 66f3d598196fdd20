import { CreateStateMachineCommand, SFNClient } from '@aws-sdk/client-sfn'
import { type StepFunctions, startStepFunctions } from '@stepwright/local-step-functions'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { executionArnOf } from './execution-request.ts'
import { createMemoryExecutions } from './memory-executions.ts'
import { createStepFunctionsExecutions } from './step-functions-executions.ts'
import { testExecutions } from './testing.ts'

describe('createMemoryExecutions', () => {
  testExecutions(() => ({
    executions: createMemoryExecutions(),
    stateMachineArn: 'arn:aws:states:us-east-1:000000000000:stateMachine:waiting',
  }))
})

describe('createStepFunctionsExecutions', () => {
  let stepFunctions: StepFunctions
  let client: SFNClient
  let stateMachineArn: string
  beforeAll(async () => {
    stepFunctions = await startStepFunctions()
    client = new SFNClient(stepFunctions.clientConfig)
    const definition = JSON.stringify({
      StartAt: 'Wait',
      States: { Wait: { Type: 'Wait', Seconds: 3600, End: true } },
    })
    const roleArn = 'arn:aws:iam::000000000000:role/waiting'
    const answer = await client.send(new CreateStateMachineCommand({ name: 'waiting', definition, roleArn }))
    stateMachineArn = answer.stateMachineArn as string
  })
  afterAll(async () => {
    client.destroy()
    await stepFunctions.stop()
  })

  testExecutions(() => ({ executions: createStepFunctionsExecutions({ client }), stateMachineArn }))

  it('makes its client when it is first needed, once', async () => {
    let made = 0
    const executions = createStepFunctionsExecutions({
      client: () => {
        made += 1
        return client
      },
    })
    expect(made).toBe(0)
    const executionArn = executionArnOf(stateMachineArn, 'nothing')
    await executions.describe(executionArn)
    await executions.describe(executionArn)
    expect(made).toBe(1)
  })

  it('passes on what is no matter of names', async () => {
    const executions = createStepFunctionsExecutions({ client })
    const request = { stateMachineArn: `${stateMachineArn}-gone`, name: 'x', input: {} }
    await expect(executions.start(request)).rejects.toMatchObject({ name: 'StateMachineDoesNotExist' })
    const signal = AbortSignal.abort()
    await expect(executions.start({ ...request, stateMachineArn }, { signal })).rejects.toMatchObject({
      name: 'AbortError',
    })
  })
})

describe('executionArnOf', () => {
  it.each(['', ':3', ':live'])(
    'knows the execution of a state machine with the qualifier "%s"',
    qualifier => {
      const stateMachineArn = `arn:aws-cn:states:cn-north-1:000000000000:stateMachine:import${qualifier}`
      expect(executionArnOf(stateMachineArn, 'a')).toBe(
        'arn:aws-cn:states:cn-north-1:000000000000:execution:import:a',
      )
    },
  )
})
