import { setTimeout as wait } from 'node:timers/promises'
import { RedriveExecutionCommand, SFNClient, StopExecutionCommand } from '@aws-sdk/client-sfn'
import { findTrailProblems } from '@stepwright/audit-log/testing'
import { createPostgresChunkLedger } from '@stepwright/batch-writer/postgres'
import { findJobProblems } from '@stepwright/batch-writer/testing'
import { chaosRounds } from '@stepwright/bench/chaos'
import type { ExecutionEnd } from '@stepwright/local-cloud'
import type { S3ObjectCreated } from '@stepwright/task/object-created'
import { describe, expect, it, vi } from 'vitest'
import { toCsvVersion } from './object-created.ts'
import { type RunningWorld, startWorld } from './test/running-world.ts'
import { toExpectedActivity, toUserLog, type UserLogOptions } from './test/user-log.ts'
import { ledgerTable } from './user-activity.ts'

const operationsPerRound = 8
const patience = { timeout: 60_000, interval: 20 }
const keys = ['data/a.csv', 'data/b.csv', 'data/c.csv'] as const

interface Upload {
  /** In the order of the puts. */
  readonly order: number
  readonly key: string
  readonly event: S3ObjectCreated
  readonly jobId: string
  /** Undefined for what is no CSV. */
  readonly log: UserLogOptions | undefined
}

/** Small numbers of the same seed are the same. */
function createRandom(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761 + 1
  return below => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

/** The app, and what readers must see of it. */
async function startOperations(world: RunningWorld, round: number) {
  const random = createRandom(round)
  const { running } = world
  const { endpoint, region, credentials } = running.services.stepFunctions
  const sfn = new SFNClient({ endpoint, region, credentials })
  const ledger = createPostgresChunkLedger({ pool: world.pool, tableName: ledgerTable })
  const uploads: Upload[] = []
  const completed = new Map<string, Upload>()
  const { PROCESS_WORKFLOW_ARN = '' } = running.environmentOf('StartProcessing')
  const executionArn = PROCESS_WORKFLOW_ARN.replace(':stateMachine:', ':execution:')
  let again = 0

  async function put(
    log: UserLogOptions | undefined,
    key = keys[random(keys.length)] as string,
  ): Promise<Upload> {
    const created = Promise.withResolvers<S3ObjectCreated>()
    const unsubscribe = running.services.s3.onObjectCreated(event => {
      if (JSON.stringify(event).includes(key)) created.resolve(event as unknown as S3ObjectCreated)
    })
    await world.put(key, log ? toUserLog(log) : 'no,csv,of,ours\n1,2,3,4\n')
    const event = await created.promise
    unsubscribe()
    const upload = { order: uploads.length, key, event, jobId: toCsvVersion(event).id, log }
    uploads.push(upload)
    return upload
  }

  /** Looks at an execution that has ended, and keeps what it must have changed. */
  async function settle(upload: Upload, { name, status }: ExecutionEnd): Promise<void> {
    if (status === 'SUCCEEDED') {
      const { rows = 0, bad = [] } = upload.log ?? expect.fail('what is no CSV succeeded')
      const shown = completed.get(upload.key)
      if (shown === undefined || shown.order < upload.order) completed.set(upload.key, upload)
      expect(await findTrailProblems(world.audit, name, { first: 1, count: rows })).toEqual([])
      expect(await findJobProblems(ledger, upload.jobId, { rows, rejected: bad.length })).toEqual([])
      return
    }
    // Those that were cut short are recorded after their end.
    await vi.waitFor(
      async () => expect(await findTrailProblems(world.audit, name, { first: 0, count: 1 })).toEqual([]),
      patience,
    )
  }

  async function run(upload: Upload): Promise<void> {
    await settle(upload, await running.ended('process', upload.jobId))
  }

  async function startAgain(upload: Upload): Promise<void> {
    again += 1
    const name = `again-${round}-${again}`
    await running.start('process', upload.event, name)
    await settle(upload, await running.ended('process', name))
  }

  const bad = (count: number) => Array.from({ length: count }, (_, index) => index * 3 + 1)
  const good = (): UserLogOptions => ({ rows: 200 + random(800), users: 50 + random(100) })
  const operations: Readonly<Record<string, () => Promise<void>>> = {
    good: async () => run(await put(good())),
    tolerated: async () => run(await put({ rows: 600, users: 90, bad: bad(1 + random(20)) })),
    intolerable: async () => run(await put({ rows: 300, bad: bad(60) })),
    broken: async () => run(await put(undefined)),
    async twiceAtOnce() {
      const key = keys[random(keys.length)]
      const first = await put(good(), key)
      const second = await put(good(), key)
      await Promise.all([run(first), run(second)])
    },
    async killed() {
      const upload = await put(good())
      const ended = running.ended('process', upload.jobId)
      for (let kills = 0; kills < 2; kills += 1) {
        await wait(random(300))
        running.kill('CsvProcessor')
      }
      await settle(upload, await ended)
    },
    async stopped() {
      const upload = await put(good())
      const ended = running.ended('process', upload.jobId)
      await wait(random(150))
      const stop = new StopExecutionCommand({ executionArn: `${executionArn}:${upload.jobId}` })
      // Perhaps it has ended already.
      await sfn.send(stop).catch(() => {})
      const end = await ended
      await settle(upload, end)
      if (end.status === 'SUCCEEDED') return
      if (random(2) === 0) return startAgain(upload)
      const redriven = running.ended('process')
      await sfn.send(new RedriveExecutionCommand({ executionArn: end.executionArn }))
      await settle(upload, await redriven)
    },
    async again() {
      const upload = uploads[random(uploads.length)]
      if (upload) await startAgain(upload)
    },
  }
  const names = Object.keys(operations)

  return {
    async step(): Promise<string> {
      const name = names[random(names.length)] as string
      await operations[name]?.()
      return name
    },
    /** Readers see exactly the last completed upload of every file. */
    expected(): Map<string, [number, number]> {
      const sum = new Map<string, [number, number]>()
      for (const { log } of completed.values()) {
        for (const [user, [logins, posts]] of toExpectedActivity(log as UserLogOptions)) {
          const [before, written] = sum.get(user) ?? [0, 0]
          sum.set(user, [before + logins, written + posts])
        }
      }
      return sum
    },
    close: () => sfn.destroy(),
  }
}

describe('csv-processor, whatever people do', () => {
  it('shows readers the last completed upload of every file, and accounts for every row', {
    timeout: 600_000,
  }, async () => {
    await using world = await startWorld({ isolation: 'call' })
    for (let round = 0; round < chaosRounds(1); round += 1) {
      await world.pool.query('truncate user_contribution, completed_upload')
      const operations = await startOperations(world, round)
      const done: string[] = []
      for (let step = 0; step < operationsPerRound; step += 1) {
        done.push(await operations.step())
        expect({ round, done, activity: await world.activity() }).toEqual({
          round,
          done,
          activity: operations.expected(),
        })
      }
      operations.close()
    }
  })
})
