import { type RunningApp, startApp } from '@stepwright/local-cloud'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { app } from './app.ts'

/** The app as it is deployed, on a real PostgreSQL, on this machine. */
let running: RunningApp
beforeAll(async () => {
  running = await startApp(app)
}, 60_000)
afterAll(() => running.stop(), 60_000)

function call(method: string, path: string, { user = 'ann', body }: { user?: string; body?: object } = {}) {
  const { endpoint = '', issueToken } = running.gateway ?? {}
  return fetch(`${endpoint}${path}`, {
    method,
    headers: { authorization: `Bearer ${issueToken?.({ sub: user })}` },
    ...(body && { body: JSON.stringify(body) }),
  })
}

async function start(chapters: readonly string[]): Promise<string> {
  const response = await call('POST', '/jobs', { body: { title: 'Tides', chapters } })
  expect(response.status).toBe(202)
  return ((await response.json()) as { data: { jobId: string } }).data.jobId
}

it('tells of each chapter as it is written', async () => {
  const id = await start(['Moon', 'Sun'])
  const stream = await (await call('GET', `/jobs/${id}/events`)).text() // it ends with the job
  const events = stream.match(/(?<=^event: )\w+/gm) ?? []
  expect(events.filter(event => event === 'part')).toHaveLength(2)
  expect(stream).toContain('Tides, on Sun: …')
  expect(await (await call('GET', `/jobs/${id}`)).json()).toMatchObject({
    data: { status: 'COMPLETED', progress: 100, result: ['Tides, on Moon: …', 'Tides, on Sun: …'] },
  })
}, 60_000)

it('stops a job whose owner cancels it, and nobody else', async () => {
  const id = await start(Array.from({ length: 50 }, (_, at) => `chapter ${at}`))
  const ended = running.ended('report', id)
  expect((await call('POST', `/jobs/${id}/cancel`, { user: 'bob' })).status).toBe(403)
  expect((await call('POST', `/jobs/${id}/cancel`)).status).toBe(200)
  expect((await ended).status).toBe('ABORTED')
  expect(await (await call('GET', `/jobs/${id}`)).json()).toMatchObject({ data: { status: 'CANCELLED' } })
}, 60_000)
