import * as sfn from '@aws-sdk/client-sfn'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type StepFunctions, startStepFunctions } from '../index.ts'
import { type ApiClient, createApiClient, machine, pass, waits } from '../test/api-client.ts'

let server: StepFunctions
let api: ApiClient
let ticks = Date.now()

beforeAll(async () => {
  server = await startStepFunctions({
    // nothing happens at the same time as anything else
    now: () => {
      ticks += 1
      return ticks
    },
  })
  api = createApiClient(server)
})
afterAll(async () => {
  api.client.destroy()
  await server.stop()
})

describe('what is said of a state machine', () => {
  const definition = machine(
    {
      Set: { Type: 'Pass', Assign: { a: 1 }, Next: 'Read' },
      Read: { Type: 'Pass', Output: '{% $a + $count($states.input) %}', Next: 'End' },
      End: { Type: 'Succeed' },
    },
    { QueryLanguage: 'JSONata' },
  )

  it('includes the variables that its states read', async () => {
    const stateMachineArn = await api.create('reads', definition)
    const executionArn = await api.start(stateMachineArn)
    const variableReferences = { Read: ['a'] }
    expect(await api.client.send(new sfn.DescribeStateMachineCommand({ stateMachineArn }))).toMatchObject({
      variableReferences,
    })
    expect(
      await api.client.send(new sfn.DescribeStateMachineForExecutionCommand({ executionArn })),
    ).toMatchObject({ variableReferences })
  })

  it('includes the revision that an execution runs, once there is more than the first', async () => {
    const stateMachineArn = await api.create('revised', pass)
    const first = await api.start(stateMachineArn)
    const { revisionId } = await api.client.send(
      new sfn.UpdateStateMachineCommand({ stateMachineArn, definition }),
    )
    const second = await api.start(stateMachineArn)
    const revisionOf = async (executionArn: string) =>
      (await api.client.send(new sfn.DescribeStateMachineForExecutionCommand({ executionArn }))).revisionId
    expect(revisionId).toBeDefined()
    expect([await revisionOf(first), await revisionOf(second)]).toEqual([undefined, revisionId])
  })

  it('is that of activities too, as far as it is encryption', async () => {
    const create = (type: 'AWS_OWNED_KEY' | 'CUSTOMER_MANAGED_KMS_KEY', name: string) =>
      api.client.send(new sfn.CreateActivityCommand({ name, encryptionConfiguration: { type } }))
    const { activityArn } = await create('AWS_OWNED_KEY', 'plain')
    expect(await api.client.send(new sfn.DescribeActivityCommand({ activityArn }))).toMatchObject({
      encryptionConfiguration: { type: 'AWS_OWNED_KEY' },
    })
    await expect(create('CUSTOMER_MANAGED_KMS_KEY', 'own')).rejects.toMatchObject({
      name: 'InvalidEncryptionConfiguration',
    })
  })
})

describe('aliases', () => {
  it('are listed with the oldest first, page by page, and deleted twice', async () => {
    const stateMachineArn = await api.create('aliased', pass, { publish: true })
    const routingConfiguration = [{ stateMachineVersionArn: `${stateMachineArn}:1`, weight: 100 }]
    for (const name of ['zeta', 'beta', 'alpha'])
      await api.client.send(new sfn.CreateStateMachineAliasCommand({ name, routingConfiguration }))
    const names: (string | undefined)[] = []
    let nextToken: string | undefined
    do {
      const page = await api.client.send(
        new sfn.ListStateMachineAliasesCommand({ stateMachineArn, maxResults: 2, nextToken }),
      )
      names.push(
        ...(page.stateMachineAliases ?? []).map(each => each.stateMachineAliasArn?.split(':').at(-1)),
      )
      nextToken = page.nextToken
    } while (nextToken !== undefined)
    expect(names).toEqual(['zeta', 'beta', 'alpha'])
    const remove = () =>
      api.client.send(
        new sfn.DeleteStateMachineAliasCommand({ stateMachineAliasArn: `${stateMachineArn}:beta` }),
      )
    await remove()
    await expect(remove()).resolves.toBeDefined()
  })
})

describe('what is said of an execution', () => {
  it('counts redrives from none', async () => {
    const stateMachineArn = await api.create('counted', pass)
    await api.ended(await api.start(stateMachineArn))
    const { executions } = await api.client.send(new sfn.ListExecutionsCommand({ stateMachineArn }))
    expect(executions).toMatchObject([{ redriveCount: 0 }])
  })

  it('has no error where it timed out', async () => {
    const stateMachineArn = await api.create(
      'late',
      machine({ W: { Type: 'Wait', Seconds: 60, End: true } }, { TimeoutSeconds: 1 }),
    )
    const ended = await api.ended(await api.start(stateMachineArn))
    expect(ended).toMatchObject({ status: 'TIMED_OUT' })
    expect(ended).not.toHaveProperty('error')
  })

  it('follows no event where somebody stopped it', async () => {
    const executionArn = await api.start(await api.create('stopped', waits))
    await api.client.send(new sfn.StopExecutionCommand({ executionArn, error: 'E' }))
    const { events = [] } = await api.client.send(new sfn.GetExecutionHistoryCommand({ executionArn }))
    expect(events.at(-1)).toMatchObject({ type: 'ExecutionAborted', previousEventId: 0 })
  })
})

describe('Map runs', () => {
  it('carry their label in their ARN, and are counted while they are open', async () => {
    const stateMachineArn = await api.create(
      'labelled',
      machine({
        M: {
          Type: 'Map',
          Label: 'each-row',
          ItemProcessor: {
            ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' },
            StartAt: 'W',
            States: { W: { Type: 'Wait', Seconds: 3600, End: true } },
          },
          End: true,
        },
      }),
    )
    const executionArn = await api.start(stateMachineArn, { input: '[1]' })
    await expect
      .poll(() => server.metrics(stateMachineArn))
      .toMatchObject({
        ApproximateOpenMapRunCount: 1,
        ApproximateMapRunBacklogSize: 0,
        OpenMapRunLimit: 1000,
      })
    const { mapRuns } = await api.client.send(new sfn.ListMapRunsCommand({ executionArn }))
    expect(mapRuns?.[0]?.mapRunArn).toMatch(/:mapRun:labelled\/each-row:[\w-]+$/)
    await api.client.send(new sfn.StopExecutionCommand({ executionArn }))
    await expect.poll(() => server.metrics(stateMachineArn).ApproximateOpenMapRunCount).toBe(0)
  })
})
