import { type ListExecutionsCommandOutput, SFNClient } from '@aws-sdk/client-sfn'
import { describe, expect, it } from 'vitest'
import { createConsoleFeed } from '../feed.ts'
import { createExecutionIndex } from './execution-index.ts'

const machine = 'arn:aws:states:us-east-1:000000000000:stateMachine:m'

/** A client that knows two executions, one of which runs, and counts how often it is asked. */
function createClient(kind = 'execution') {
  const asked: object[] = []
  const item = (name: string, status: 'RUNNING' | 'SUCCEEDED') => ({
    executionArn: machine.replace('stateMachine', kind).concat(`:${name}`),
    stateMachineArn: machine,
    name,
    status,
    startDate: new Date(1000),
    ...(status !== 'RUNNING' && { stopDate: new Date(2000) }),
  })
  const client = new SFNClient({ region: 'us-east-1' })
  client.send = (async (command: { input: object }): Promise<Partial<ListExecutionsCommandOutput>> => {
    asked.push(command.input)
    return { executions: [item('a', 'RUNNING'), item('b', 'SUCCEEDED')] }
  }) as unknown as SFNClient['send']
  return { client, asked }
}

function change(name: string, status: string, startDate: number, stopDate: number | null = null): never {
  const executionArn = machine.replace('stateMachine', 'execution').concat(`:${name}`)
  return { detail: { executionArn, stateMachineArn: machine, name, status, startDate, stopDate } } as never
}

async function statuses(index: ReturnType<typeof createExecutionIndex>) {
  const { executions } = await index.of(machine)
  return Object.fromEntries(
    executions.map(({ name, status, redriveCount = 0 }) => [name, [status, redriveCount]]),
  )
}

describe('createExecutionIndex', () => {
  it('lists once, and then hears what happens', async () => {
    const { client, asked } = createClient()
    const feed = createConsoleFeed()
    const index = createExecutionIndex(client, feed)
    const first = statuses(index)
    feed.onStatusChange(change('a', 'FAILED', 1000, 1500)) // while the list is being read
    await first
    feed.onStatusChange(change('c', 'RUNNING', 3000))
    feed.onStatusChange(change('b', 'RUNNING', 1000))
    expect(await statuses(index)).toEqual({ a: ['FAILED', 0], b: ['RUNNING', 1], c: ['RUNNING', 0] })
    expect(asked).toHaveLength(1)
  })

  it('keeps the latest, and says that there were more', async () => {
    const feed = createConsoleFeed()
    const index = createExecutionIndex(createClient().client, feed)
    await index.of(machine)
    for (let turn = 0; turn < 12_000; turn += 1)
      feed.onStatusChange(change(`n${turn}`, 'SUCCEEDED', 5000 + turn, 6000 + turn))
    const { executions, isComplete } = await index.of(machine)
    expect(executions.length).toBeLessThanOrEqual(10_000)
    expect(executions.some(({ name }) => name === 'n11999')).toBe(true)
    expect([executions.some(({ name }) => name === 'a'), isComplete]).toEqual([false, false])
  })

  it.each([
    ['without a feed', undefined, 'execution'],
    ['of Express executions, of which no feed tells', createConsoleFeed(), 'express'],
  ])('lists again %s', async (_, feed, kind) => {
    const { client, asked } = createClient(kind)
    const index = createExecutionIndex(client, feed)
    await index.of(machine)
    await index.of(machine)
    expect(asked).toHaveLength(2)
  })
})
