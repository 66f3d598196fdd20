import { ListExecutionsCommand, SFNClient, StopExecutionCommand } from '@aws-sdk/client-sfn'
import { executionArnOf } from '@stepwright/idempotency'
import { createWithholding } from '@stepwright/local-cloud'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { GenerationClient, ProcessView } from '../web/client.ts'
import { app } from './app.ts'
import { goal } from './test/memory-world.ts'
import { holdWorker, type RunningGenerations, startGenerations, userOf } from './test/running-app.ts'

const timeout = 60_000
const { statements, statementsOf, withhold, withoutRetries } = createWithholding(app)

describe('what the roles are allowed', { timeout }, () => {
  let running: RunningGenerations
  let database: pg.Pool
  beforeAll(async () => {
    const definition = JSON.parse(JSON.stringify(withoutRetries('generation')), (key, value) =>
      key === 'TimeoutSeconds' ? Math.min(value, 10) : key === 'HeartbeatSeconds' ? 5 : value,
    )
    const script = { failing: [{ text: 'refused', error: 'GenerationRefusedError' as const, times: 99 }] }
    running = await startGenerations(script, {
      enforcePolicies: statementsOf,
      definitions: { generation: definition },
      environment: { MAX_WORKERS: '1', PARALLEL_CALLS: '1' },
    })
    database = new pg.Pool({ connectionString: running.services.postgres.url, max: 2 })
    database.on('error', () => {})
  }, timeout)
  afterAll(async () => {
    await database?.end()
    await running?.stop()
  }, timeout)

  let users = 0
  const someone = (): GenerationClient => {
    users += 1
    return userOf(running, `user-${users}`)
  }
  const ended = async (processId: string): Promise<string> =>
    (await running.ended('generation', processId)).status

  async function start(user: GenerationClient, text: string): Promise<ProcessView> {
    const { status, data } = await user.generate('SUBGOAL_GENERATION', { goal: text })
    if (status !== 202) throw new Error(`the generation is refused: ${status}`)
    return data
  }

  /** Lets nobody else launch what a handler should. */
  async function withoutLaunches<T>(work: () => Promise<T>): Promise<T> {
    running.intercept('LaunchWaiting', async () => ({}))
    try {
      return await work()
    } finally {
      running.intercept('LaunchWaiting')
    }
  }

  function isGenerated(): Promise<boolean> {
    return withoutLaunches(async () => {
      const { processId } = await start(someone(), goal)
      if (!(await isLaunched(processId))) return false
      return (await ended(processId)) === 'SUCCEEDED'
    })
  }

  /** Whether it has an execution; a job that waits has none. */
  async function isLaunched(processId: string): Promise<boolean> {
    const { rows } = await database.query('select status from processing_state where id = $1', [processId])
    const client = new SFNClient(running.services.stepFunctions.clientConfig)
    const { executions = [] } = await client.send(
      new ListExecutionsCommand({ stateMachineArn: running.stateMachineArn('generation') }),
    )
    client.destroy()
    return rows.length === 1 && executions.some(({ name }) => name === processId)
  }

  function isRetried(): Promise<boolean> {
    return withoutLaunches(async () => {
      const user = someone()
      const { processId } = await start(user, 'refused')
      await ended(processId)
      const { status, data } = await user.call('POST', `/retry/${processId}`)
      return status < 300 && (await isLaunched(data.processId)) && (await ended(data.processId)) !== ''
    })
  }

  /** Holds the worker, so that there is something to stop. */
  async function whileGenerating(
    work: (user: GenerationClient, id: string) => Promise<boolean>,
  ): Promise<boolean> {
    const held = holdWorker(running)
    try {
      const user = someone()
      const { processId } = await start(user, `held ${users}`)
      await held.called
      return await work(user, processId)
    } finally {
      held.release()
    }
  }

  function isCancelled(): Promise<boolean> {
    return whileGenerating(async (user, id) => {
      const { status } = await user.call('POST', `/cancel/${id}`)
      return status === 200 && (await ended(id)) === 'ABORTED'
    })
  }

  function isReaped(): Promise<boolean> {
    return whileGenerating(async (user, id) => {
      const client = new SFNClient(running.services.stepFunctions.clientConfig)
      const executionArn = executionArnOf(running.stateMachineArn('generation'), id)
      await client.send(new StopExecutionCommand({ executionArn, error: 'Stopped' }))
      client.destroy()
      const silent = `update processing_state set heartbeat_at = now() - interval '3 minutes' where id = $1`
      await database.query(silent, [id])
      await running.invoke('EndStuckJobs', {})
      return (await user.status(id)).data.status === 'FAILED'
    })
  }

  /** There is one worker: the second waits until the first has ended. */
  async function isLaunchedLater(): Promise<boolean> {
    let second = ''
    const first = await whileGenerating(async (user, id) => {
      second = (await start(user, `waiting ${users}`)).processId
      return !(await isLaunched(second)) && id !== ''
    })
    await running.invoke('LaunchWaiting', {})
    return first && (await ended(second)) === 'SUCCEEDED'
  }

  const scenarios: Readonly<Record<string, () => Promise<boolean>>> = {
    RetryHandler: isRetried,
    CancelHandler: isCancelled,
    EndStuckJobs: isReaped,
    LaunchWaiting: isLaunchedLater,
  }

  it('is enough for everything', { timeout: 2 * timeout }, async () => {
    withhold()
    for (const works of new Set([...Object.values(scenarios), isGenerated])) {
      expect([works.name, await works()]).toEqual([works.name, true])
      await database.query('delete from processing_state') // or a worker that is about to stop keeps the one slot
    }
  })

  it.each(statements)('is too little without that of %s: %s', async (role, sid) => {
    withhold(role, sid)
    const works = await (scenarios[role] ?? isGenerated)().catch(() => false)
    withhold()
    await database.query('delete from processing_state') // what never ended would keep the one worker
    expect(works).toBe(false)
  })
})
