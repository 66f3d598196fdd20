import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as sfn from '@aws-sdk/client-sfn'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type StepFunctions, startStepFunctions } from '../index.ts'
import { type ApiClient, createApiClient, machine } from '../test/api-client.ts'

const lambda = 'arn:aws:lambda:us-east-1:000000000000:function:work'
let directory: string
let server: StepFunctions
let api: ApiClient
let failing: ReadonlySet<unknown>
/** Calls of those that are to wait. */
let held: (() => void)[]
let calls: unknown[]

async function open() {
  held = []
  calls = []
  const work = async (item: unknown) => {
    calls.push(item)
    if (item === 'wait') await new Promise<void>(resolve => held.push(resolve))
    if (failing.has(item)) throw new TypeError(`${item} fails`)
    return `did ${item}`
  }
  server = await startStepFunctions({
    dataDirectory: directory,
    graceSeconds: 0,
    functions: { work: { handler: work, timeoutSeconds: 60 } },
  })
  api = createApiClient(server)
}
async function close() {
  api.client.destroy()
  await server.stop()
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'stepwright-map-run-api-'))
  failing = new Set()
  await open()
})
afterAll(async () => {
  await close()
  await rm(directory, { recursive: true, force: true })
})

function each(fields: object = {}, executionType = 'STANDARD'): string {
  return machine({
    Each: {
      Type: 'Map',
      ItemProcessor: {
        ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: executionType },
        StartAt: 'Work',
        States: { Work: { Type: 'Task', Resource: lambda, End: true } },
      },
      End: true,
      ...fields,
    },
  })
}
async function start(name: string, definition: string, items: readonly unknown[]) {
  held = []
  const executionArn = await api.start(await api.create(name, definition), { input: JSON.stringify(items) })
  const { mapRuns = [] } = await expect
    .poll(() => api.client.send(new sfn.ListMapRunsCommand({ executionArn })))
    .toMatchObject({ mapRuns: [{ executionArn }] })
    .then(() => api.client.send(new sfn.ListMapRunsCommand({ executionArn })))
  return { executionArn, mapRunArn: mapRuns[0]?.mapRunArn ?? '' }
}
async function childrenOf(mapRunArn: string, more: Partial<sfn.ListExecutionsInput> = {}) {
  const { executions = [] } = await api.client.send(new sfn.ListExecutionsCommand({ mapRunArn, ...more }))
  return executions
}
function describeRun(mapRunArn: string) {
  return api.client.send(new sfn.DescribeMapRunCommand({ mapRunArn }))
}
function update(mapRunArn: string, limits: Omit<sfn.UpdateMapRunInput, 'mapRunArn'>) {
  return api.client.send(new sfn.UpdateMapRunCommand({ mapRunArn, ...limits }))
}

describe('children of a Map run', () => {
  it('are listed, described, and have a history', async () => {
    failing = new Set([3])
    const definition = each({ ToleratedFailureCount: 1 })
    const { executionArn, mapRunArn } = await start('listed', definition, [1, 2, 3])
    await api.ended(executionArn)
    const all = await childrenOf(mapRunArn)
    expect(all.map(({ status }) => status).sort()).toEqual(['FAILED', 'SUCCEEDED', 'SUCCEEDED'])
    const [failed, ...others] = await childrenOf(mapRunArn, { statusFilter: 'FAILED' })
    expect([failed, others]).toMatchObject([
      { mapRunArn, itemCount: 1, stateMachineArn: expect.stringMatching(/:stateMachine:listed\/Each$/) },
      [],
    ])
    expect(
      await api.client.send(new sfn.DescribeExecutionCommand({ executionArn: failed?.executionArn })),
    ).toMatchObject({
      mapRunArn,
      status: 'FAILED',
      input: '3',
      error: 'TypeError',
      redriveStatus: 'REDRIVABLE_BY_MAP_RUN',
    })
    expect(
      await api.client.send(
        new sfn.DescribeStateMachineForExecutionCommand({ executionArn: failed?.executionArn }),
      ),
    ).toMatchObject({
      mapRunArn,
      label: 'Each',
      name: 'listed/Each',
      definition: expect.stringMatching(/^\{"StartAt":"Work","States":\{"Work":/),
    })
    expect(
      await api.client.send(new sfn.StopExecutionCommand({ executionArn: failed?.executionArn })),
    ).toMatchObject({ stopDate: failed?.stopDate })
    const [done] = await childrenOf(mapRunArn, { statusFilter: 'SUCCEEDED' })
    const { events = [] } = await api.client.send(
      new sfn.GetExecutionHistoryCommand({ executionArn: done?.executionArn }),
    )
    expect(events.map(({ id, type }) => [id, type])).toEqual([
      [1, 'ExecutionStarted'],
      [2, 'TaskStateEntered'],
      [3, 'LambdaFunctionScheduled'],
      [4, 'LambdaFunctionStarted'],
      [5, 'LambdaFunctionSucceeded'],
      [6, 'TaskStateExited'],
      [7, 'ExecutionSucceeded'],
    ])
    expect(events[0]?.executionStartedEventDetails?.input).toMatch(/^[12]$/)
    expect(events[6]?.executionSucceededEventDetails?.output).toMatch(/^"did [12]"$/)
  })

  it('are listed while they run, also Express ones', async () => {
    const { executionArn, mapRunArn } = await start('running', each({}, 'EXPRESS'), ['wait'])
    await expect.poll(() => held.length).toBe(1)
    const [child] = await childrenOf(mapRunArn, { statusFilter: 'RUNNING' })
    expect(child).toMatchObject({ status: 'RUNNING', mapRunArn })
    expect(
      await api.client.send(new sfn.DescribeExecutionCommand({ executionArn: child?.executionArn })),
    ).toMatchObject({ status: 'RUNNING', input: '"wait"' })
    held[0]?.()
    await api.ended(executionArn)
    expect(await childrenOf(mapRunArn)).toMatchObject([{ status: 'SUCCEEDED' }])
  })

  it('are stopped one by one, which their run survives, also a restart later', async () => {
    const { executionArn, mapRunArn } = await start('stopped', each(), ['wait', 'wait', 'a'])
    await expect.poll(() => held.length).toBe(2)
    const [child] = await childrenOf(mapRunArn, { statusFilter: 'RUNNING' })
    const stop = { executionArn: child?.executionArn, error: 'Enough', cause: 'of this one' }
    const { stopDate } = await api.client.send(new sfn.StopExecutionCommand(stop))
    expect(stopDate).toBeInstanceOf(Date)
    const describeStopped = () =>
      api.client.send(new sfn.DescribeExecutionCommand({ executionArn: child?.executionArn }))
    await expect
      .poll(describeStopped)
      .toMatchObject({ status: 'ABORTED', error: 'Enough', cause: 'of this one' })
    await close()
    await open()
    await expect.poll(() => held.length).toBe(1)
    held[0]?.()
    expect(await api.ended(executionArn)).toMatchObject({
      status: 'SUCCEEDED',
      output: '["did wait","did a"]',
    })
    expect(await describeRun(mapRunArn)).toMatchObject({
      status: 'SUCCEEDED',
      executionCounts: { aborted: 1, succeeded: 2, failed: 0, total: 3 },
    })
    expect(await describeStopped()).toMatchObject({ status: 'ABORTED' })
  })

  it('are redriven with their run, those that failed', async () => {
    failing = new Set(['b'])
    const { executionArn, mapRunArn } = await start('redriven', each(), ['a', 'b'])
    await api.ended(executionArn)
    const [failed] = await childrenOf(mapRunArn, { statusFilter: 'FAILED' })
    const childArn = failed?.executionArn
    await expect(
      api.client.send(new sfn.RedriveExecutionCommand({ executionArn: childArn })),
    ).rejects.toMatchObject({ name: 'ExecutionNotRedrivable' })
    failing = new Set()
    calls = []
    await api.client.send(new sfn.RedriveExecutionCommand({ executionArn }))
    expect(await api.ended(executionArn)).toMatchObject({ output: '["did a","did b"]' })
    expect(calls).toEqual(['b'])
    const redrivenChildren = await childrenOf(mapRunArn, { redriveFilter: 'REDRIVEN' })
    expect(redrivenChildren).toMatchObject([{ executionArn: childArn, status: 'SUCCEEDED', redriveCount: 1 }])
    expect(await describeRun(mapRunArn)).toMatchObject({ redriveCount: 1, redriveDate: expect.any(Date) })
    // Into its state and to its end, and b twice.
    const used = { transitions: 6, expressRequests: 0, expressMs: 0 }
    expect(server.mapRunUsage(mapRunArn)).toEqual(used)
    await close()
    await open()
    expect(server.mapRunUsage(mapRunArn)).toEqual(used)
  })

  it('are billed with those of Maps inside them, Express ones by requests and time', async () => {
    failing = new Set()
    const inner = JSON.parse(each({ End: true }, 'EXPRESS')).States.Each
    const processor = {
      ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' },
      StartAt: 'Inner',
      States: { Inner: inner },
    }
    const { executionArn, mapRunArn } = await start('billed', each({ ItemProcessor: processor }), [
      [1],
      [2, 3],
    ])
    expect(await api.ended(executionArn)).toMatchObject({ status: 'SUCCEEDED' })
    const { expressMs, ...counts } = server.mapRunUsage(mapRunArn)
    expect(counts).toEqual({ transitions: 4, expressRequests: 3 })
    expect([expressMs >= 300, expressMs % 100]).toEqual([true, 0])
    const [outer] = await childrenOf(mapRunArn)
    const { events = [] } = await api.client.send(
      new sfn.GetExecutionHistoryCommand({ executionArn: outer?.executionArn }),
    )
    const innerRun = events.find(({ type }) => type === 'MapRunStarted')?.mapRunStartedEventDetails?.mapRunArn
    const [child] = await childrenOf(innerRun ?? '')
    expect(
      await api.client.send(
        new sfn.DescribeStateMachineForExecutionCommand({ executionArn: child?.executionArn }),
      ),
    ).toMatchObject({ definition: expect.stringMatching(/^\{"StartAt":"Work"/) })
  })
})

describe('a child that was interrupted', () => {
  it('has its whole history when it has ended, and is counted once', async () => {
    failing = new Set()
    const definition = each({
      ItemProcessor: {
        ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' },
        StartAt: 'First',
        States: {
          First: { Type: 'Task', Resource: lambda, Next: 'Wait' },
          Wait: { Type: 'Pass', Result: 'wait', Next: 'Second' },
          Second: { Type: 'Task', Resource: lambda, End: true },
        },
      },
    })
    const { executionArn, mapRunArn } = await start('whole', definition, ['a'])
    await expect.poll(() => calls).toEqual(expect.arrayContaining(['a', 'wait']))
    const [before] = await childrenOf(mapRunArn)
    await close()
    await open()
    await expect.poll(() => calls).toEqual(['wait'])
    const [meanwhile] = await childrenOf(mapRunArn)
    expect(meanwhile).toMatchObject({ status: 'RUNNING', startDate: before?.startDate })
    for (const release of held) release()
    await api.ended(executionArn)
    const [after] = await childrenOf(mapRunArn)
    expect(after).toMatchObject({ status: 'SUCCEEDED', startDate: before?.startDate })
    const { events = [] } = await api.client.send(
      new sfn.GetExecutionHistoryCommand({ executionArn: after?.executionArn }),
    )
    expect(events.map(({ id, type }) => `${id} ${type}`)).toEqual([
      '1 ExecutionStarted',
      '2 TaskStateEntered',
      '3 LambdaFunctionScheduled',
      '4 LambdaFunctionStarted',
      '5 LambdaFunctionSucceeded',
      '6 TaskStateExited',
      '7 PassStateEntered',
      '8 PassStateExited',
      '9 TaskStateEntered',
      '10 LambdaFunctionScheduled',
      '11 LambdaFunctionStarted',
      '12 LambdaFunctionSucceeded',
      '13 TaskStateExited',
      '14 ExecutionSucceeded',
    ])
    expect(server.mapRunUsage(mapRunArn)).toMatchObject({ transitions: 4 })
  })
})

describe('UpdateMapRun', () => {
  it('changes a run that is under way, also one that goes on after a restart', async () => {
    failing = new Set(['x'])
    const definition = each({ MaxConcurrency: 1 })
    const { executionArn, mapRunArn } = await start('updated', definition, ['a', 'wait', 'x', 'wait', 'b'])
    await expect.poll(() => held.length).toBe(1)
    await update(mapRunArn, { toleratedFailureCount: 2, maxConcurrency: 3 })
    expect(await describeRun(mapRunArn)).toMatchObject({ maxConcurrency: 3, toleratedFailureCount: 2 })
    await expect.poll(() => held.length).toBe(2)
    await expect.poll(() => calls).toContain('b')
    await close()
    await open()
    await expect.poll(() => held.length).toBe(2)
    expect(calls).toEqual(['wait', 'wait'])
    expect(await describeRun(mapRunArn)).toMatchObject({ maxConcurrency: 3, toleratedFailureCount: 2 })
    for (const release of held) release()
    expect(await api.ended(executionArn)).toMatchObject({ status: 'SUCCEEDED' })
    const children = await childrenOf(mapRunArn)
    expect(children.map(({ status }) => status).sort()).toEqual([
      'FAILED',
      'SUCCEEDED',
      'SUCCEEDED',
      'SUCCEEDED',
      'SUCCEEDED',
    ])
    for (const { executionArn: childArn } of children) {
      const { events = [] } = await api.client.send(
        new sfn.GetExecutionHistoryCommand({ executionArn: childArn }),
      )
      expect(events.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6, 7].slice(0, events.length))
      expect(events.length).toBeGreaterThan(5)
    }
  })

  it('refuses a run that is not there, or over, and limits that are none', async () => {
    failing = new Set()
    const { executionArn, mapRunArn } = await start('over', each(), [1])
    await api.ended(executionArn)
    await expect(update(mapRunArn, { maxConcurrency: 1 })).rejects.toMatchObject({
      name: 'ValidationException',
    })
    await expect(update(`${mapRunArn}0`, { maxConcurrency: 1 })).rejects.toMatchObject({
      name: 'ResourceNotFound',
    })
    await expect(update(mapRunArn, { toleratedFailurePercentage: 101 })).rejects.toMatchObject({
      message:
        "1 validation error detected: Value '101' at 'toleratedFailurePercentage' failed to satisfy constraint: Member must have value less than or equal to 100",
    })
    for (const limits of [{ maxConcurrency: 1.5 }, { toleratedFailureCount: 0.5 }])
      await expect(update(mapRunArn, limits)).rejects.toMatchObject({ name: 'SerializationException' })
    await expect(childrenOf(`${mapRunArn}0`)).rejects.toMatchObject({ name: 'ResourceNotFound' })
    await expect(
      api.client.send(
        new sfn.DescribeExecutionCommand({
          executionArn: executionArn.replace(':over:', ':over/Each:'),
        }),
      ),
    ).rejects.toMatchObject({ name: 'ExecutionDoesNotExist' })
  })
})
