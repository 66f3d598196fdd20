import { gzipSync } from 'node:zlib'
import {
  type BoundTask,
  errorMatrix,
  type WorkflowRun,
  type WorkflowTasks,
} from '@stepwright/asl-engine/testing'
import type { AuditEntry } from '@stepwright/audit-log'
import {
  ConflictError,
  DatabaseConnectionError,
  ForbiddenError,
  type TaskErrorClass,
  TemporaryError,
} from '@stepwright/errors'
import { executionName } from '@stepwright/idempotency'
import { describe, expect, it } from 'vitest'
import {
  createMemoryWorld,
  definition,
  type MemoryWorld,
  smallChunks,
  toPorts,
  toRunOptions,
} from './test/memory-world.ts'
import { toExpectedActivity, toUserLog, type UserLogOptions } from './test/user-log.ts'

const twelveBad = Array.from({ length: 12 }, (_, index) => 1 + index * 83)

function idOf({ calls: [first] }: WorkflowRun): string {
  return String((first?.input as { readonly executionId?: unknown } | undefined)?.executionId)
}

function countByType(entries: readonly AuditEntry[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { logType } of entries) counts[logType] = (counts[logType] ?? 0) + 1
  return counts
}

async function runLog(log: UserLogOptions, world = createMemoryWorld()) {
  const event = await world.put('data/user-log-20240802-001.csv', toUserLog(log))
  const run = await world.run(event)
  const id = idOf(run)
  return { world, event, run, id, entries: await world.entries(id) }
}

/** Fails the state for the third child, whatever it tries; the Map tolerates one of thirty. */
function runFailing(world: MemoryWorld, event: unknown, state: string): Promise<WorkflowRun> {
  const { tasks } = toRunOptions(world.ports, world.objects)
  const task = tasks[state] as BoundTask
  const failing: WorkflowTasks[string] = (input, { signal }) => {
    if ((input as { itemIndex: number }).itemIndex === 21) throw new TemporaryError('not now')
    return task.run(input, { signal, now: Date.now })
  }
  return world.run(event, { tasks: { ...tasks, [state]: failing } }, smallChunks)
}

describe('csv-parallel-processing-workflow', () => {
  it('reflects every row and ends with the fields of the document', async () => {
    const { world, event, run, id, entries } = await runLog({ rows: 1000 })
    expect(run.status).toBe('SUCCEEDED')
    expect(run.output).toMatchObject({
      status: 'SUCCESS',
      executionId: id,
      input: { bucket: 'input', key: event.detail.object.key, etag: event.detail.object.etag },
      validation: {
        isValid: true,
        rowCount: 1000,
        columnCount: 3,
        headerValid: true,
        encoding: 'UTF-8',
        delimiter: ',',
        statistics: { validationErrors: [] },
        jobId: executionName(event),
        manifest: { chunkCount: 4 },
      },
      processing: { totalRecords: 1000, successCount: 1000, errorCount: 0 },
      output: { s3Bucket: 'output', s3Key: `results/${id}/summary.json`, summary: { rejectedKey: null } },
    })
    expect(world.activity()).toEqual(toExpectedActivity({ rows: 1000 }))
    expect(entries.map(({ itemIndex }) => itemIndex)).toEqual(Array.from({ length: 1000 }, (_, n) => n + 1))
    expect(countByType(entries)).toEqual({ SUCCESS: 1000 })
    expect(await world.ports.audit.verify(id)).toMatchObject({ ok: true, entries: 1000, late: 0 })
  })

  it('sets bad rows apart, with reason and original, in a file that can be corrected and uploaded again', async () => {
    const log = { rows: 1000, bad: twelveBad }
    const { world, run, id, entries } = await runLog(log)
    expect(run.output).toMatchObject({
      processing: { totalRecords: 1000, successCount: 988, errorCount: 12 },
      output: { summary: { errors: { DataValidationError: { count: 12 } } } },
    })
    expect(world.activity()).toEqual(toExpectedActivity(log))
    expect(countByType(entries)).toEqual({ SUCCESS: 988, BUSINESS_ERROR: 12 })
    const failed = entries.filter(({ logType }) => logType === 'BUSINESS_ERROR')
    expect(failed.map(({ itemIndex }) => itemIndex)).toEqual(twelveBad)

    const rejected = await world.readOutput(`results/${id}/rejected.csv`)
    const [header, first, ...others] = rejected.trimEnd().split('\r\n')
    expect(header).toBe('\uFEFFユーザーID,ログイン回数,投稿回数,error')
    expect(first).toBe(
      'U000001,たくさん,1,row 1: DataValidationError: ログイン回数 must be a whole number from 0 to 999999999',
    )
    expect(others).toHaveLength(11)

    const again = await world.run(await world.put('data/corrected.csv', rejected.replaceAll('たくさん', '3')))
    expect(again.output).toMatchObject({ processing: { successCount: 12, errorCount: 0 } })
    expect(world.activity().get('U000001')).toEqual([3, 1])
  })

  it('changes nothing when it is run again, in whole or in part', async () => {
    const log = { rows: 500, bad: [7], users: 120 }
    const { world, event, run } = await runLog(log)
    const before = world.activity()
    expect(before).toEqual(toExpectedActivity(log))

    const again = await world.run(event)
    expect(again.output).toMatchObject({ processing: { successCount: 499, errorCount: 1 } })
    expect(countByType(await world.entries(idOf(again)))).toEqual({ SUCCESS: 499, BUSINESS_ERROR: 1 })

    for (const { state, input } of run.calls.filter(call => /Record/.test(call.state))) {
      const task = toRunOptions(world.ports, world.objects).tasks[state] as {
        run: (...all: unknown[]) => unknown
      }
      await task.run(input, {})
    }
    expect(world.activity()).toEqual(before)
    expect(await world.entries(idOf(run))).toHaveLength(500)
  })

  it('fails when more rows are bad than tolerated, after everything was written down', async () => {
    const log = { rows: 1000, bad: Array.from({ length: 51 }, (_, index) => index + 100) }
    const { world, run, id, entries } = await runLog(log)
    expect(run).toMatchObject({ status: 'FAILED', error: 'ToleranceExceededError' })
    expect(run.path.slice(-4)).toEqual([
      'AggregateResults',
      'MapProcessingFailure',
      'SealFailedTrail',
      'FailureComplete',
    ])
    expect(world.activity()).toEqual(new Map())
    expect(countByType(entries.slice(1))).toEqual({ SUCCESS: 949, BUSINESS_ERROR: 51 })
    expect(entries[0]).toMatchObject({
      itemIndex: 0,
      logType: 'BUSINESS_ERROR',
      error: { Error: 'ToleranceExceededError', errorType: 'MAP_PROCESSING_FAILURE' },
    })
    expect(JSON.parse(await world.readOutput(`results/${id}/summary.json`))).toMatchObject({
      status: 'FAILED',
      successCount: 949,
      errorCount: 51,
    })
    expect(JSON.parse(await world.readOutput(`results/${id}/failure.json`))).toMatchObject({
      status: 'FAILED',
      executionId: id,
      error: { Error: 'ToleranceExceededError' },
    })
    expect(await world.ports.audit.verify(id)).toMatchObject({ ok: true, entries: 1001, late: 0 })
  })

  it('takes the share of the rows into account, too', async () => {
    expect((await runLog({ rows: 100, bad: [1, 2, 3, 4, 5] })).run.status).toBe('SUCCEEDED')
    expect((await runLog({ rows: 100, bad: [1, 2, 3, 4, 5, 6] })).run.error).toBe('ToleranceExceededError')
  })

  it.each([
    ['a wrong header', 'user,logins,posts\nU1,1,1\n', 'is not known'],
    ['a missing column', 'user_id,login_count\nU1,1\n', 'post_count'],
    ['no rows', 'user_id,login_count,post_count\n', 'no rows'],
    ['no content', '', 'EMPTY_FILE'],
    ['rows of other lengths', 'user_id,login_count,post_count\nU1,1\n', 'COLUMN_COUNT'],
  ])('refuses a file with %s', async (_, body, reason) => {
    const world = createMemoryWorld()
    const run = await world.run(await world.put('data/invalid.csv', body))
    expect(run).toMatchObject({ status: 'FAILED', error: 'ValidationError' })
    expect(run.cause).toContain(reason)
    expect(run.path.slice(-5)).toEqual([
      'CheckValidationResult',
      'DescribeInvalidFile',
      'ValidationFailure',
      'SealFailedTrail',
      'FailureComplete',
    ])
    const id = idOf(run)
    expect(JSON.parse(await world.readOutput(`results/${id}/failure.json`))).toMatchObject({
      status: 'FAILED',
      errorType: 'VALIDATION_FAILURE',
    })
    expect(await world.entries(id)).toMatchObject([{ itemIndex: 0, logType: 'BUSINESS_ERROR' }])
    expect(await world.ports.audit.verify(id)).toMatchObject({ ok: true })
  })

  it('refuses a compressed file, which has no byte ranges', async () => {
    const world = createMemoryWorld()
    const run = await world.run(await world.put('data/a.csv.gz', gzipSync(toUserLog({ rows: 3 }))))
    expect(run).toMatchObject({ status: 'FAILED', error: 'ValidationError' })
    expect(run.path.slice(-3)).toEqual(['ValidationFailure', 'SealFailedTrail', 'FailureComplete'])
  })

  it('takes English names and any order of columns', async () => {
    const world = createMemoryWorld()
    const event = await world.put('data/english.csv', 'post_count,user_id,login_count\n2,"A.1",5\n')
    expect((await world.run(event)).status).toBe('SUCCEEDED')
    expect(world.activity()).toEqual(new Map([['A.1', [5, 2]]]))
  })

  it('leaves an object to its own event when it was replaced', async () => {
    const world = createMemoryWorld()
    const event = await world.put('data/a.csv', toUserLog({ rows: 1 }))
    await world.put('data/a.csv', toUserLog({ rows: 2 }))
    expect(await world.run(event)).toMatchObject({ status: 'FAILED', error: 'ValidationError' })
    expect(world.sink.rows()).toEqual([])
  })

  it('retries what passes and reflects the rows once', async () => {
    const world = createMemoryWorld()
    const event = await world.put('data/a.csv', toUserLog({ rows: 300 }))
    const state = 'ProcessSingleUserRecord'
    const inject = [{ state, attempts: [1, 2, 3], error: DatabaseConnectionError }]
    const run = await world.run(event, { inject })
    expect(run.status).toBe('SUCCEEDED')
    expect(run.waitsSeconds(state)).toEqual([2, 4, 8])
    expect(world.activity()).toEqual(toExpectedActivity({ rows: 300 }))
  })

  it('gives every row of a batch that fails for good a SYSTEM_ERROR, and fails', async () => {
    const world = createMemoryWorld()
    const event = await world.put('data/a.csv', toUserLog({ rows: 300 }))
    const run = await world.run(event, {
      inject: [{ state: 'ProcessSingleUserRecord', error: TemporaryError }],
    })
    expect(run).toMatchObject({ status: 'FAILED', error: 'States.ExceedToleratedFailureThreshold' })
    expect(run.path).toContain('MapProcessingFailure')
    const [failure, ...rows] = await world.entries(idOf(run))
    expect(failure).toMatchObject({ itemIndex: 0, logType: 'SYSTEM_ERROR' })
    expect(countByType(rows)).toEqual({ SYSTEM_ERROR: 300 })
    expect(rows[0]).toMatchObject({
      error: { Error: 'TemporaryError', Cause: 'injected at ProcessSingleUserRecord' },
      userRecord: { ユーザーID: 'U000001' },
    })
    expect(world.sink.rows()).toEqual([])
  })

  it('goes on when a tolerable number of rows fails for good, and sets them apart', async () => {
    const world = createMemoryWorld()
    const event = await world.put('data/a.csv', toUserLog({ rows: 300 }))
    const run = await runFailing(world, event, 'ProcessSingleUserRecord')
    expect(run.output).toMatchObject({
      processing: { successCount: 290, errorCount: 10 },
      output: { summary: { errors: { TemporaryError: { count: 10 } } } },
    })
    const rows = await world.entries(idOf(run))
    const failed = rows.filter(({ logType }) => logType === 'SYSTEM_ERROR')
    expect(failed.map(({ itemIndex }) => itemIndex)).toEqual([21, 22, 23, 24, 25, 26, 27, 28, 29, 30])
    expect(countByType(rows)).toEqual({ SUCCESS: 290, SYSTEM_ERROR: 10 })
    const rejected = (await world.readOutput(`results/${idOf(run)}/rejected.csv`)).trimEnd().split('\r\n')
    expect(rejected).toHaveLength(11)
    expect(rejected[1]).toMatch(/^U000021,0,8,row 21: TemporaryError: /)
    expect(world.sink.rows()).toHaveLength(290)
  })

  it('records what was committed, whatever became of the answer', async () => {
    const world = createMemoryWorld()
    const { writer } = world.ports
    const lossy: typeof writer = {
      ...writer,
      async write(chunk) {
        const result = await writer.write(chunk)
        if (chunk.chunk === '000004') throw new TemporaryError('the answer was lost')
        return result
      },
    }
    const event = await world.put('data/a.csv', toUserLog({ rows: 300, bad: [22] }))
    const options = toRunOptions({ ...world.ports, writer: lossy }, world.objects)
    const run = await world.run(event, options, smallChunks)
    expect(run.calls.map(({ state }) => state)).toContain('RecordSystemError')
    // The batch's second chunk was never tried.
    expect(run.output).toMatchObject({ processing: { successCount: 294, errorCount: 6 } })
    const rows = await world.entries(idOf(run))
    expect(rows.slice(20, 30).map(({ logType }) => logType)).toEqual([
      'SUCCESS',
      'BUSINESS_ERROR',
      'SUCCESS',
      'SUCCESS',
      'SUCCESS',
      ...Array(5).fill('SYSTEM_ERROR'),
    ])
    expect(world.sink.rows()).toHaveLength(294)
  })

  it('says so of every row when the database stays down, and goes on when it is back', async () => {
    const world = createMemoryWorld()
    const down = async (): Promise<never> => {
      throw new DatabaseConnectionError('nobody answers')
    }
    const ports = toPorts({
      ...world.ports,
      writer: { ...world.ports.writer, write: down },
      ledger: { find: down },
    })
    const event = await world.put('data/a.csv', toUserLog({ rows: 600 }))
    const run = await world.run(event, toRunOptions(ports, world.objects))
    expect(run).toMatchObject({ status: 'FAILED', error: 'States.ExceedToleratedFailureThreshold' })
    const [, ...rows] = await world.entries(idOf(run))
    expect(countByType(rows)).toEqual({ SYSTEM_ERROR: 600 })
    expect(await world.ports.audit.verify(idOf(run))).toMatchObject({ ok: true, late: 0 })

    const again = await world.run(event)
    expect(again.output).toMatchObject({ processing: { successCount: 600, errorCount: 0 } })
    expect(world.activity()).toEqual(toExpectedActivity({ rows: 600 }))
  })

  it('records the rows of a file that is replaced meanwhile as business errors', async () => {
    const world = createMemoryWorld()
    const { writer } = world.ports
    const replacing: typeof writer = {
      ...writer,
      async write(chunk) {
        await world.put('data/a.csv', toUserLog({ rows: 2 }))
        return writer.write(chunk)
      },
    }
    const event = await world.put('data/a.csv', toUserLog({ rows: 30 }))
    const run = await world.run(event, toRunOptions({ ...world.ports, writer: replacing }, world.objects))
    expect(run).toMatchObject({ status: 'FAILED', error: 'ToleranceExceededError' })
    expect(run.calls.map(({ state }) => state)).toContain('RecordProcessingError')
    const [, ...rows] = await world.entries(idOf(run))
    expect(countByType(rows)).toEqual({ BUSINESS_ERROR: 30 })
    expect(rows[0]?.error).toEqual({
      Error: 'ConflictError',
      Cause: 'the object data/a.csv was replaced by another version',
    })
    expect(world.sink.rows()).toEqual([])
  })

  it('completes the trail where a child could not write its entries', async () => {
    const world = createMemoryWorld()
    const event = await world.put('data/a.csv', toUserLog({ rows: 300 }))
    const run = await runFailing(world, event, 'RecordSuccess')
    expect(run.output).toMatchObject({ processing: { successCount: 300, errorCount: 0 } })
    expect(countByType(await world.entries(idOf(run)))).toEqual({ SUCCESS: 300 })
    expect(await world.ports.audit.verify(idOf(run))).toMatchObject({ ok: true, late: 0 })
  })

  it('completes the trail where the Map failed', async () => {
    const world = createMemoryWorld()
    const event = await world.put('data/a.csv', toUserLog({ rows: 300, bad: [8] }))
    const run = await world.run(event, { inject: [{ state: 'RecordSuccess', error: TemporaryError }] })
    expect(run).toMatchObject({ status: 'FAILED', error: 'States.ExceedToleratedFailureThreshold' })
    const [, ...rows] = await world.entries(idOf(run))
    expect(countByType(rows)).toEqual({ SUCCESS: 299, BUSINESS_ERROR: 1 })
    expect(await world.ports.audit.verify(idOf(run))).toMatchObject({ ok: true, late: 0 })
  })

  it('honours every error of every task', { timeout: 120_000 }, async () => {
    const world = createMemoryWorld()
    const { storeOf, writer } = world.ports
    const refuse = (job: string): TaskErrorClass | undefined =>
      job.startsWith('conflict') ? ConflictError : job.startsWith('forbidden') ? ForbiddenError : undefined
    const ports: typeof world.ports = {
      ...world.ports,
      storeOf(bucket) {
        if (bucket === 'forbidden') throw new ForbiddenError('not yours')
        return storeOf(bucket)
      },
      writer: {
        ...writer,
        async write(chunk) {
          const Refusal = refuse(chunk.jobId)
          if (Refusal) throw new Refusal('refused')
          return writer.write(chunk)
        },
      },
    }
    const log = toUserLog({ rows: 3 })
    const good = await world.put('data/good.csv', log)
    const inputs = [
      good,
      await world.put('data/invalid.csv', 'x\n1\n'),
      await world.put('data/intolerable.csv', toUserLog({ rows: 3, bad: [1] })),
      await world.put('data/conflict.csv', log),
      await world.put('data/forbidden.csv', log),
      { ...good, detail: { ...good.detail, bucket: { name: 'forbidden' } } },
    ]
    const { tasks, ...options } = toRunOptions(ports, world.objects)
    const matrix = await errorMatrix(definition, tasks, { ...options, inputs, catchExhausted: true })
    expect(new Set(matrix.cells.map(({ state }) => state)).size).toBe(12)
  })
})
