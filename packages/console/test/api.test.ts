import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Console } from '../src/index.ts'
import type {
  AppDescription,
  ExecutionDescription,
  ExecutionPage,
  FindPage,
  LightEvent,
  WorkflowSummary,
} from '../src/protocol.ts'
import { type RunningConsole, startWithConsole } from './open-console.ts'
import { createSmallApp, definitions, type SmallApp } from './small-app.ts'

// The API without a browser, and with an app that needs no database.

const { plain } = definitions
let small: SmallApp
let world: RunningConsole
let server: Console

async function open(): Promise<void> {
  world = await startWithConsole(small.app, {
    dataDirectory: join(small.folder, 'data'),
    expressHistory: true,
  })
  server = world.console
}
async function close(): Promise<void> {
  await world?.[Symbol.asyncDispose]()
}

function ask(path: string, init: RequestInit = {}): Promise<Response> {
  const authorization = `Bearer ${new URL(server.url).searchParams.get('token')}`
  return fetch(`${server.endpoint}/api/${path}`, { ...init, headers: { authorization } })
}
async function get<T>(path: string, query: Record<string, string> = {}): Promise<T> {
  const response = await ask(`${path}?${new URLSearchParams(query)}`)
  if (!response.ok) throw new Error(await response.text())
  return response.json() as Promise<T>
}
async function post<T>(path: string, body: unknown): Promise<T> {
  const response = await ask(path, { method: 'POST', body: JSON.stringify(body) })
  if (!response.ok) throw new Error(await response.text())
  return response.json() as Promise<T>
}
/** An execution that has ended. */
async function run(workflow: string, input: unknown = {}): Promise<string> {
  const { arn } = await post<{ arn: string }>('executions', { workflow, input: JSON.stringify(input) })
  await ended(arn)
  return arn
}
async function ended(arn: string): Promise<ExecutionDescription> {
  await expect
    .poll(async () => (await get<ExecutionDescription>('execution', { arn })).status, { interval: 10 })
    .toBe('SUCCEEDED')
  return get<ExecutionDescription>('execution', { arn })
}

beforeAll(async () => {
  small = createSmallApp()
  await open()
})
afterAll(async () => {
  await close()
  small[Symbol.dispose]()
})

describe('the API of the console', () => {
  it('gives all events of a long execution, thousands of chosen ones, and those that are asked for', async () => {
    const arn = await run(
      'many',
      Array.from({ length: 1200 }, (_, index) => index),
    )
    const { events } = await get<{ events: LightEvent[] }>('history', { arn })
    expect(events.length).toBeGreaterThan(4800)
    expect((await post<{ events: unknown[] }>('events', { arn })).events).toHaveLength(events.length)
    const ids = events.slice(1).map(({ id }) => id)
    expect((await post<{ events: unknown[] }>('events', { arn, ids })).events).toHaveLength(ids.length)
  })

  it('bills children of a Distributed Map, and Express executions by requests and time', async () => {
    const spread = await ended(await run('spread', [1, 2, 3]))
    expect(spread.cost).toEqual({
      own: { transitions: 2, expressRequests: 0, expressMs: 0 },
      children: { transitions: 6, expressRequests: 0, expressMs: 0 },
      dollars: expect.closeTo(8 * 0.000025, 10),
    })
    const quick = await ended(await run('quick'))
    expect(quick.cost.own).toEqual({ transitions: 0, expressRequests: 1, expressMs: 100 })
  })

  it('lists Express executions beside the others, and counts them by workflow', async () => {
    const arn = await run('quick')
    const { workflows } = await get<{ workflows: WorkflowSummary[] }>('workflows')
    expect(workflows.find(({ key }) => key === 'quick')).toEqual({
      key: 'quick',
      counts: { SUCCEEDED: expect.any(Number) },
      latestMs: expect.any(Number),
    })
    const { executions } = await get<ExecutionPage>('executions')
    expect(executions.find(one => one.arn === arn)).toMatchObject({ workflow: 'quick', status: 'SUCCEEDED' })
  })

  it('forks with the definition as it is on disk now, and still knows so when it is opened anew', async () => {
    const arn = await run('plain', { a: 1 })
    small.write('plain', {
      ...plain,
      States: { ...plain.States, Second: { Type: 'Pass', Result: 'new', End: true } },
    })
    const asItWas = { arn, state: 'Second', input: '{"a":2}', variables: { v: 1 } }
    const old = await ended((await post<{ arn: string }>('fork', asItWas)).arn)
    const fresh = await ended((await post<{ arn: string }>('fork', { ...asItWas, isCurrent: true })).arn)
    expect([old.output, fresh.output]).toEqual(['{"a":2}', '"new"'])
    const known = async () => {
      const origin = await get<ExecutionDescription>('execution', { arn })
      const { executions } = await get<ExecutionPage>('executions', { workflow: 'plain' })
      return [
        origin.forks.toSorted(),
        executions
          .filter(({ forkOf }) => forkOf === arn)
          .map(one => one.arn)
          .toSorted(),
      ]
    }
    const forks = [old.arn, fresh.arn].toSorted()
    expect(await known()).toEqual([forks, forks])
    await close()
    await open()
    expect(await known()).toEqual([forks, forks])
    expect(await get<ExecutionDescription>('execution', { arn: fresh.arn })).toMatchObject({
      forkOf: arn,
      workflow: 'plain',
    })
    const again = await post<{ arn: string }>('fork', { ...asItWas, arn: fresh.arn, isCurrent: true })
    expect((await ended(again.arn)).forkOf).toBe(fresh.arn)
  })

  it('finds a value also where JSON writes it otherwise, and in children of a Distributed Map', async () => {
    const text = 'Ann "A" <ann@example.com>'
    const parent = await ended(await run('spread', [{ row: 1 }, { row: 2, who: text }]))
    const { found, searched, total } = await get<FindPage>('find', { text })
    expect(searched).toBe(total)
    const inside = found.filter(({ execution }) => execution.arn !== parent.arn)
    expect(inside.map(({ where }) => where)).toContain('One · PassStateEntered · input')
    expect(new Set(inside.map(({ execution }) => execution.workflow))).toEqual(new Set(['spread']))
    expect(new Set(inside.map(({ execution }) => execution.arn)).size).toBe(1)
    expect(found.some(({ where, eventId }) => where === 'input' && eventId === undefined)).toBe(true)
  })

  it('forks a child of a Distributed Map', async () => {
    const parent = await run('spread', [1])
    const { mapRuns } = await ended(parent)
    const { children } = await get<{ children: { arn: string }[] }>('children', {
      mapRun: mapRuns[0]?.arn ?? '',
    })
    expect(await ended(children[0]?.arn ?? '')).toMatchObject({ parent, workflow: 'spread' })
    const fork = await post<{ arn: string }>('fork', { arn: children[0]?.arn, state: 'One', input: '5' })
    expect(await ended(fork.arn)).toMatchObject({ forkOf: children[0]?.arn, output: '5', workflow: 'spread' })
  })

  it('takes an object as it comes in', async () => {
    const [bucket = ''] = (await get<AppDescription>('app')).buckets
    const body = Buffer.alloc(3_000_000, 'a,b\n')
    const address = `object?${new URLSearchParams({ bucket, key: 'large.csv' })}`
    expect((await ask(address, { method: 'PUT', body })).status).toBe(200)
    expect(await get('objects', { bucket })).toMatchObject({
      objects: [{ key: 'large.csv', size: 3_000_000 }],
    })
  })

  it.each([
    [404, 'GET', 'nothing', undefined, 'There is nothing at this address.'],
    [404, 'GET', 'workflow?workflow=none', undefined, 'There is no workflow none.'],
    [404, 'GET', 'executions?workflow=none', undefined, 'There is no workflow none.'],
    [400, 'GET', 'executions?offset=-1', undefined, 'offset must be a whole number from 0 on.'],
    [404, 'POST', 'executions', { workflow: 'none', input: '{}' }, 'There is no workflow none.'],
    [400, 'POST', 'executions', { workflow: 'plain', input: '{' }, 'The input must be JSON'],
    [400, 'POST', 'executions', null, 'The request must be a JSON object.'],
    [400, 'POST', 'stop', [1], 'The request must be a JSON object.'],
    [400, 'GET', 'execution?arn=none', undefined, 'InvalidArn'],
    [400, 'GET', 'live?arn=none', undefined, 'InvalidArn'],
    [404, 'GET', 'objects?bucket=none', undefined, 'There is no bucket none.'],
    [404, 'GET', 'table?table=none', undefined, 'There is no table none.'],
    [404, 'GET', 'mail?id=none', undefined, 'There is no such message.'],
    [404, 'GET', 'audit?arn=none', undefined, 'The app keeps no audit trail.'],
  ])('answers %i to %s %s %j, and says why', async (status, method, path, body, message) => {
    const response = await ask(path, { method, ...(body !== undefined && { body: JSON.stringify(body) }) })
    expect([response.status, await response.json()]).toEqual([
      status,
      { message: expect.stringContaining(message) },
    ])
  })
})
