import { randomUUID } from 'node:crypto'
import { compare, figure } from '@stepwright/bench'
import { startApp } from '@stepwright/local-cloud'
import pg from 'pg'
import { benchApp } from './bench-app.ts'

const perRound = 200
const parallel = 4

// What is started waits, so that nothing but starts is measured.
const definitions = {
  generation: { StartAt: 'W', States: { W: { Type: 'Wait', Seconds: 3600, End: true } } },
}
await using running = await startApp(benchApp, {
  definitions,
  environment: { MAX_WORKERS: '1000000', MAX_OPEN_JOBS: '1000000' },
})
const database = new pg.Pool({ connectionString: running.services.postgres.url, max: 1 })
await database.query('create table bare_job (id text primary key, user_id text, params jsonb, status text)')
const headers = { authorization: `Bearer ${running.gateway?.issueToken({ sub: 'ann' })}` }

/** Sends requests, a few at a time. */
async function sendAll(path: string): Promise<void> {
  let left = perRound
  const work = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      const body = JSON.stringify({ type: 'SUBGOAL_GENERATION', params: { goal: randomUUID() } })
      const response = await fetch(`${running.gateway?.endpoint}${path}`, { method: 'POST', headers, body })
      if (response.status !== 202) throw new Error(`${path}: ${response.status} ${await response.text()}`)
      await response.arrayBuffer()
    }
  }
  await Promise.all(Array.from({ length: parallel }, work))
}

try {
  const timings = await compare(
    `${perRound} times POST generate`,
    { bare: () => sendAll('/bare'), ours: () => sendAll('/api/ai/async/generate') },
    { before: () => database.query('truncate bare_job, processing_state cascade') },
  )
  figure('async.start.vs_bare', timings.ours.medianMs / timings.bare.medianMs, { atMost: 3 })
} finally {
  await database.end()
}
