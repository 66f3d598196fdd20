import { setTimeout as pause } from 'node:timers/promises'
import { RedriveExecutionCommand, SFNClient, StopExecutionCommand } from '@aws-sdk/client-sfn'
import { executionArnOf } from '@stepwright/idempotency'
import { createWithholding } from '@stepwright/local-cloud'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { ProcessView, StreamEvent } from '../web/client.ts'
import { app } from './app.ts'
import type { LocalScript } from './generators/local.ts'
import { goal, plan, subgoals } from './test/memory-world.ts'
import { holdWorker, type RunningGenerations, startGenerations, userOf } from './test/running-app.ts'

/** The texts by which a test chooses how the generator behaves. */
const script: LocalScript = {
  failing: [
    { text: 'refused', error: 'GenerationRefusedError', times: 99 },
    { text: 'declined once', error: 'GenerationRefusedError', times: 1 },
    { text: 'throttled', error: 'ThrottlingException', times: 1 },
  ],
}

const { statementsOf, withhold } = createWithholding(app)
let running: RunningGenerations
let database: pg.Pool
beforeAll(async () => {
  const environment = { MAX_WORKERS: '4', PARALLEL_CALLS: '1' }
  running = await startGenerations(script, { environment, enforcePolicies: statementsOf })
  database = new pg.Pool({ connectionString: running.services.postgres.url, max: 2 })
  database.on('error', () => {})
}, 60_000)
afterAll(async () => {
  await database?.end()
  await running?.stop()
}, 60_000)

function ann() {
  return userOf(running, 'ann')
}

async function countOpen(): Promise<number> {
  const { rows } = await database.query(
    `select count(*)::int as open from processing_state where status in ('PENDING', 'PROCESSING')`,
  )
  return rows[0].open
}

/** Generations of earlier tests end first. */
async function holdNextWorker() {
  await expect.poll(countOpen).toBe(0)
  const held = holdWorker(running)
  onTestFinished(held.release)
  return held
}

describe('POST /api/ai/async/generate', () => {
  it('accepts a generation, which a client sees to its end', async () => {
    const answer = await ann().generate('SUBGOAL_GENERATION', { goal })
    expect(answer).toMatchObject({
      status: 202,
      success: true,
      data: {
        processId: expect.stringMatching(/^[\da-f-]{36}$/),
        status: 'PENDING',
        type: 'SUBGOAL_GENERATION',
        createdAt: expect.stringMatching(/Z$/),
        estimatedCompletionTime: expect.stringMatching(/Z$/),
      },
    })
    const { processId, createdAt, estimatedCompletionTime } = answer.data
    expect(answer.headers.get('location')).toBe(`/api/ai/async/status/${processId}`)
    expect(Date.parse(estimatedCompletionTime) - Date.parse(createdAt)).toBe(300_000)
    await ann().ended(processId)
    expect(await ann().status(processId)).toMatchObject({
      status: 200,
      success: true,
      data: { processId, status: 'COMPLETED', progress: 100, result: { goal, subgoals: expect.any(Array) } },
    })
  })

  it.each([
    ['no type', { params: { goal } }],
    ['a type that there is not', { type: 'OTHER', params: { goal } }],
    ['an empty goal', { type: 'SUBGOAL_GENERATION', params: { goal: ' ' } }],
    ['seven sub-goals', { type: 'ACTION_GENERATION', params: { goal, subgoals: subgoals.slice(1) } }],
    ['params of another type', { type: 'TASK_GENERATION', params: { goal, subgoals } }],
    ['a priority, which only a token has', { type: 'SUBGOAL_GENERATION', params: { goal }, priority: 9 }],
    ['fields that nothing reads', { type: 'SUBGOAL_GENERATION', params: { goal }, colour: 'red' }],
  ])('refuses %s', async (_, body) => {
    expect(await ann().call('POST', '/generate', body)).toMatchObject({ status: 400, success: false })
  })

  it('refuses whoever has no token', async () => {
    const response = await fetch(`${running.gateway?.endpoint}/api/ai/async/generate`, { method: 'POST' })
    expect(response.status).toBe(401)
  })

  it('gives the same process for the same key and body, and refuses the key for another body', async () => {
    const headers = { 'Idempotency-Key': 'click-1' }
    const send = (text: string, user = ann()) =>
      user.generate('SUBGOAL_GENERATION', { goal: text }, {}, headers)
    const [first, again] = await Promise.all([send('one'), send('one')])
    expect(again.data.processId).toBe(first.data.processId)
    expect(await send('two')).toMatchObject({ status: 422, title: 'IdempotencyConflictError' })
    const theirs = await send('two', userOf(running, 'bob'))
    expect([theirs.status, theirs.data.processId === first.data.processId]).toEqual([202, false])
  })

  it('answers at once with the result of the same request, where that will do', async () => {
    const { data } = await ann().generate('SUBGOAL_GENERATION', { goal: 'cached' })
    await ann().ended(data.processId)
    const reused = await ann().generate('SUBGOAL_GENERATION', { goal: 'cached' }, { reuse: true })
    expect(reused).toMatchObject({ status: 200, data: { processId: data.processId, status: 'COMPLETED' } })
    const anew = await ann().generate('SUBGOAL_GENERATION', { goal: 'cached' })
    const theirs = await userOf(running, 'bob').generate(
      'SUBGOAL_GENERATION',
      { goal: 'cached' },
      { reuse: true },
    )
    for (const other of [anew, theirs]) {
      expect([other.status, other.data.processId === data.processId]).toEqual([202, false])
    }
  })

  it('starts those of a higher priority first when workers are short', async () => {
    const user = userOf(running, 'queue')
    const { called, release } = await holdNextWorker()
    const running4 = await Promise.all(
      [1, 2, 3, 4].map(at => user.generate('SUBGOAL_GENERATION', { goal: `running ${at}` })),
    )
    await called
    const low = await user.generate('SUBGOAL_GENERATION', { goal: 'low' })
    const urgent = userOf(running, 'queue', { priority: '9' })
    const high = await urgent.generate('SUBGOAL_GENERATION', { goal: 'high' })
    expect((await user.status(high.data.processId)).data.status).toBe('PENDING')
    await user.call('POST', `/cancel/${running4[0]?.data.processId}`)
    await expect.poll(async () => (await user.status(high.data.processId)).data.status).toBe('PROCESSING')
    expect((await user.status(low.data.processId)).data.status).toBe('PENDING')
    release()
    expect((await user.ended(low.data.processId)).status).toBe('COMPLETED')
  })
})

describe('GET /api/ai/async/status/:processId/events', () => {
  async function collect(events: AsyncIterable<StreamEvent>): Promise<StreamEvent[]> {
    const seen: StreamEvent[] = []
    for await (const event of events) seen.push(event)
    return seen
  }

  it('streams every part and status, and goes on after what was seen', async () => {
    const { data } = await ann().generate('ACTION_GENERATION', { goal, subgoals })
    const events = await collect(ann().events(data.processId))
    const parts = events.filter(({ event }) => event === 'part')
    expect(parts.map(one => one.data['part']).toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
    expect(events.at(-1)).toMatchObject({ event: 'status', data: { status: 'COMPLETED', progress: 100 } })
    const progress = events.map(one => Number(one.data['progress']))
    expect(progress).toEqual(progress.toSorted((a, b) => a - b))

    const lastEventId = String(parts[4]?.id)
    const rest = await collect(ann().events(data.processId, { lastEventId }))
    expect(rest.filter(({ event }) => event === 'part').map(({ id }) => id)).toEqual(
      parts.slice(5).map(({ id }) => id),
    )
    const end = String(events.at(-1)?.id)
    expect(await collect(ann().events(data.processId, { lastEventId: end }))).toEqual([])
  })
})

describe('GET /api/ai/async/status/:processId', () => {
  it('answers 304 to whoever knows the process as it is', async () => {
    const { data } = await ann().generate('SUBGOAL_GENERATION', { goal: 'polled' })
    await ann().ended(data.processId)
    const url = `${running.gateway?.endpoint}/api/ai/async/status/${data.processId}`
    const headers = { authorization: `Bearer ${running.gateway?.issueToken({ sub: 'ann' })}` }
    const first = await fetch(url, { headers })
    const etag = String(first.headers.get('etag'))
    expect(await first.json()).toMatchObject({ data: { status: 'COMPLETED' } })
    const again = await fetch(url, { headers: { ...headers, 'if-none-match': etag } })
    expect([again.status, await again.text()]).toEqual([304, ''])
    const other = await fetch(url, { headers: { ...headers, 'if-none-match': 'W/"old"' } })
    expect(other.status).toBe(200)
  })
})

describe('GET /api/ai/async', () => {
  it('lists own processes, the newest first, by cursor, type and status', async () => {
    const user = userOf(running, 'lister')
    const ids: string[] = []
    for (const at of [1, 2, 3]) {
      const { data } = await user.generate('SUBGOAL_GENERATION', { goal: `goal ${at}` })
      await user.ended(data.processId)
      ids.unshift(data.processId)
    }
    type Page = { jobs: ProcessView[]; cursor?: string }
    const first = await user.call<Page>('GET', '?limit=2')
    expect([first.status, first.data.jobs.map(job => job.processId)]).toEqual([200, ids.slice(0, 2)])
    const second = await user.call<Page>('GET', `?limit=2&cursor=${first.data.cursor}`)
    expect([second.data.jobs.map(job => job.processId), second.data.cursor]).toEqual([
      ids.slice(2),
      undefined,
    ])
    const filtered = await user.call<Page>('GET', '?type=SUBGOAL_GENERATION&status=FAILED')
    expect(filtered.data.jobs).toEqual([])
  })
})

describe('a process of another user', () => {
  it('is told from one that does not exist by nobody', async () => {
    const { data } = await ann().generate('SUBGOAL_GENERATION', { goal })
    await ann().ended(data.processId)
    const bob = userOf(running, 'bob')
    for (const [method, path] of [
      ['GET', '/status/ID'],
      ['GET', '/status/ID/events'],
      ['POST', '/retry/ID'],
      ['POST', '/cancel/ID'],
    ] as const) {
      const [theirs, missing] = await Promise.all(
        [data.processId, '00000000-0000-4000-8000-000000000000'].map(async id => {
          const { headers: _, ...answer } = await bob.call(method, path.replace('ID', id))
          return JSON.parse(JSON.stringify(answer).replaceAll(id, 'ID'))
        }),
      )
      expect(theirs).toEqual(missing)
      expect(theirs).toMatchObject({
        status: 403,
        title: 'ForbiddenError',
        detail: 'この処理にアクセスする権限がありません',
      })
    }
  })
})

describe('failures', () => {
  it('tells why a generation failed, and tries it again as a new process, three times', async () => {
    const { data } = await ann().generate('SUBGOAL_GENERATION', { goal: 'refused' })
    let { processId } = data
    for (const retryCount of [1, 2, 3]) {
      expect(await ann().ended(processId)).toMatchObject({
        status: 'FAILED',
        error: { code: 'GenerationRefusedError' },
      })
      const retried = await ann().call('POST', `/retry/${processId}`)
      expect(retried).toMatchObject({
        status: 202,
        data: { status: 'PENDING', retryCount, retryOf: processId },
      })
      processId = retried.data.processId
    }
    await ann().ended(processId)
    expect(await ann().call('POST', `/retry/${processId}`)).toMatchObject({ status: 409 })
  })

  it('keeps what a generation had when it failed for its retry', async () => {
    const someSubgoals = subgoals.with(5, 'declined once')
    const { data } = await ann().generate('ACTION_GENERATION', { goal, subgoals: someSubgoals })
    expect(await ann().ended(data.processId)).toMatchObject({ status: 'FAILED', progress: 62 })
    const retried = await ann().call('POST', `/retry/${data.processId}`)
    expect(await ann().ended(retried.data.processId)).toMatchObject({ status: 'COMPLETED' })
    const { rows } = await database.query(
      `select part, version from processing_state_part where job_id = $1 order by part`,
      [retried.data.processId],
    )
    // Five came with the job, in one version; the rest were made one by one.
    expect(rows.map(row => row.version)).toEqual([2, 2, 2, 2, 2, 3, 4, 5])
  })

  it('waits out throttling', async () => {
    const { data } = await ann().generate('SUBGOAL_GENERATION', { goal: 'throttled' })
    expect(await ann().ended(data.processId)).toMatchObject({ status: 'COMPLETED' })
  })

  it('goes on in the same job after its worker was killed', async () => {
    const { data } = await ann().generate('TASK_GENERATION', { goal: 'killed', plan })
    for await (const { event } of ann().events(data.processId)) if (event === 'part') break
    running.kill('AIGenerationWorker')
    const ended = await ann()
      .ended(data.processId)
      .catch(() => ann().ended(data.processId))
    expect(ended).toMatchObject({ status: 'COMPLETED', progress: 100 })
  })

  it('ends a job that nobody else will end, and lets its owner try it again', async () => {
    const { called, release } = await holdNextWorker()
    const { data } = await ann().generate('SUBGOAL_GENERATION', { goal: 'stuck' })
    await called
    const client = new SFNClient(running.services.stepFunctions.clientConfig)
    const executionArn = executionArnOf(running.stateMachineArn('generation'), data.processId)
    await client.send(new StopExecutionCommand({ executionArn, error: 'Stopped' }))
    client.destroy()
    await database.query(
      `update processing_state set heartbeat_at = now() - interval '3 minutes' where id = $1`,
      [data.processId],
    )
    // Without its right it ends nothing.
    withhold('EndStuckJobs', 'DescribeExecutions')
    await running.invoke('EndStuckJobs', {}).catch(() => {})
    withhold()
    expect((await ann().status(data.processId)).data.status).toBe('PROCESSING')
    await running.invoke('EndStuckJobs', {})
    release()
    expect(await ann().status(data.processId)).toMatchObject({
      data: { status: 'FAILED', error: { code: 'Stopped', message: '処理に失敗しました' } },
    })
    const retried = await ann().call('POST', `/retry/${data.processId}`)
    expect((await ann().ended(retried.data.processId)).status).toBe('COMPLETED')
  })

  it('goes on with what it has when a stopped execution is redriven', async () => {
    const someSubgoals = subgoals.with(4, 'throttled, then stopped')
    const { called, release } = await holdNextWorker()
    const { data } = await ann().generate('ACTION_GENERATION', { goal, subgoals: someSubgoals })
    await called
    const client = new SFNClient(running.services.stepFunctions.clientConfig)
    const executionArn = executionArnOf(running.stateMachineArn('generation'), data.processId)
    await client.send(new StopExecutionCommand({ executionArn }))
    release()
    await client.send(new RedriveExecutionCommand({ executionArn }))
    client.destroy()
    expect((await ann().ended(data.processId)).status).toBe('COMPLETED')
  })
})

describe('POST /api/ai/async/cancel/:processId', () => {
  it('cancels once, stops the execution, and wins or loses against completion', async () => {
    const { called, release } = await holdNextWorker()
    const { data } = await ann().generate('SUBGOAL_GENERATION', { goal: 'cancelled' })
    await called
    const execution = running.ended('generation', data.processId)
    for (const _ of [1, 2]) {
      expect(await ann().call('POST', `/cancel/${data.processId}`)).toMatchObject({
        status: 200,
        success: true,
        data: { processId: data.processId, status: 'CANCELLED' },
      })
    }
    expect((await execution).status).toBe('ABORTED')
    release()
    await pause(50)
    expect((await ann().status(data.processId)).data).toMatchObject({ status: 'CANCELLED', result: null })

    const done = await ann().generate('SUBGOAL_GENERATION', { goal })
    await ann().ended(done.data.processId)
    expect(await ann().call('POST', `/cancel/${done.data.processId}`)).toMatchObject({ status: 409 })
  })
})

describe('the database', () => {
  it('forgets all of a user with the user, and old processes after 90 days', async () => {
    const user = userOf(running, 'leaving')
    const { data } = await user.generate('SUBGOAL_GENERATION', { goal })
    await user.ended(data.processId)
    await database.query(
      `update processing_state set created_at = now() - interval '91 days' where id = $1`,
      [data.processId],
    )
    expect(await running.invoke('PurgeJobs', { retentionDays: 90 })).toMatchObject({ deleted: 1 })
    const again = await user.generate('SUBGOAL_GENERATION', { goal })
    await user.ended(again.data.processId)
    await database.query(`delete from users where id = 'leaving'`)
    expect(await user.status(again.data.processId)).toMatchObject({ status: 403 })
  })

  it('has the indexes of the design', async () => {
    const { rows } = await database.query(
      `select substring(indexdef from '\\((.*?)\\)') as columns from pg_indexes where tablename = 'processing_state'`,
    )
    expect(rows.map(row => row.columns)).toEqual(
      expect.arrayContaining(['user_id, created_at', 'status, created_at', 'type, status']),
    )
  })
})
