import { createAuditLog } from '@stepwright/audit-log'
import { DatabaseConnectionError, ForbiddenError, TemporaryError } from '@stepwright/errors'
import { describe, expect, it } from 'vitest'
import { routes } from './csv-processor.ts'
import { createFailurePorts } from './handle-failure.ts'
import {
  auditKeys,
  createMemoryWorld,
  type MemoryWorld,
  smallChunks,
  toPorts,
  toRunOptions,
} from './test/memory-world.ts'
import { toExpectedActivity, toUserLog } from './test/user-log.ts'

function idOf(run: Awaited<ReturnType<MemoryWorld['run']>>): string {
  const { executionId } = (run.calls.at(-1)?.input ?? {}) as { readonly executionId?: string }
  return executionId ?? ''
}

type Store = ReturnType<MemoryWorld['ports']['storeOf']>

/** The world's ports, with an object store that does something else first. */
function withStore(world: MemoryWorld, change: (store: Store) => Partial<Store>) {
  const { storeOf } = world.ports
  return toPorts({
    ...world.ports,
    storeOf: bucket => ({ ...storeOf(bucket), ...change(storeOf(bucket)) }),
  })
}

describe('the trail', () => {
  it('has every row once in a sealed block, also where a writer died after its block was stored', async () => {
    const world = createMemoryWorld()
    let deaths = 0
    const dying = createAuditLog({
      store: {
        ...world.auditStore,
        async putPack(pack) {
          const stored = await world.auditStore.putPack(pack)
          deaths += 1
          if (deaths === 1) throw new TemporaryError('killed')
          return stored
        },
      },
      keys: auditKeys,
    })
    const event = await world.put('data/a.csv', toUserLog({ rows: 300 }))
    const options = toRunOptions(world.ports, world.objects)
    const broken = toRunOptions({ ...world.ports, audit: dying }, world.objects).tasks['RecordSuccess']
    const whole = options.tasks['RecordSuccess'] as {
      run(input: { itemIndex: number }, ...rest: unknown[]): unknown
    }
    const RecordSuccess = {
      ...whole,
      run: (input: { itemIndex: number }, ...rest: unknown[]) =>
        (input.itemIndex === 21 ? (broken as typeof whole) : whole).run(input, ...rest),
    }
    const tasks = { ...options.tasks, RecordSuccess: RecordSuccess as never }
    const run = await world.run(event, { ...options, tasks }, smallChunks)
    expect(run.status).toBe('SUCCEEDED')
    const verified = await world.ports.audit.verify(idOf(run))
    expect(verified).toMatchObject({ ok: true, entries: 300, late: 0 })
    expect(deaths).toBeGreaterThan(1)
  })

  it('is not sealed, and the execution fails, while a row has no entry', async () => {
    const world = createMemoryWorld()
    const event = await world.put('data/a.csv', toUserLog({ rows: 300 }))
    const options = toRunOptions(world.ports, world.objects)
    const RecordSuccess = {
      ...(options.tasks['RecordSuccess'] as object),
      run: async () => ({ recorded: 0 }),
    }
    const run = await world.run(event, {
      ...options,
      tasks: { ...options.tasks, RecordSuccess: RecordSuccess as never },
    })
    expect(run).toMatchObject({ status: 'FAILED', error: 'AuditVerificationError' })
  })

  it('gets the failure and the seal also when rows cannot be recorded in time', async () => {
    const world = createMemoryWorld()
    const event = await world.put('data/a.csv', toUserLog({ rows: 300 }))
    const failed = await world.run(event, {
      inject: [{ state: 'ProcessSingleUserRecord', error: TemporaryError }],
    })
    const input = failed.calls.find(({ state }) => state === 'MapProcessingFailure')?.input as never
    const other = createMemoryWorld()
    const slow = { ...world.ports, readChunk: () => neverEnding() }
    const ports = { ...world.ports, ...createFailurePorts(slow), audit: other.ports.audit }
    await routes.ERROR_HANDLING.run(input, ports, { remainingMs: () => 50 })
    const id = idOf(failed)
    expect(await other.entries(id)).toMatchObject([{ itemIndex: 0, logType: 'SYSTEM_ERROR' }])
    await other.ports.audit.seal(id)
    expect(await other.ports.audit.verify(id)).toMatchObject({ ok: true, entries: 1, late: 0 })
    expect(JSON.parse(await world.readOutput(`results/${id}/failure.json`))).toMatchObject({
      isEveryRowRecorded: false,
    })
  })

  it('gets the failure and the seal also when the report cannot be written', async () => {
    const world = createMemoryWorld()
    const event = await world.put('data/a.csv', 'wrong\n1\n')
    const ports = withStore(world, () => ({
      put: () => Promise.reject(new ForbiddenError('not yours')),
    }))
    const run = await world.run(event, toRunOptions(ports, world.objects))
    expect(run).toMatchObject({ status: 'FAILED', error: 'ValidationError' })
    expect(await world.ports.audit.verify(idOf(run))).toMatchObject({ ok: true, entries: 1, late: 0 })
  })
})

async function* neverEnding(): AsyncGenerator<never> {
  yield await new Promise<never>(() => {})
}

describe('a file that is put over another', () => {
  it('is counted once, and the other not at all, whenever it comes', async () => {
    for (const method of ['head', 'get'] as const) {
      const world = createMemoryWorld()
      const first = await world.put('data/a.csv', toUserLog({ rows: 30 }))
      let second: unknown
      const ports = withStore(world, store => ({
        async [method](key: string, options: never): Promise<never> {
          if (method === 'get' && key === 'data/a.csv') await replace()
          const answer = await store[method](key, options)
          if (method === 'head' && key === 'data/a.csv') await replace()
          return answer as never
        },
      }))
      async function replace() {
        second ??= await world.put('data/a.csv', toUserLog({ rows: 40 }))
      }
      const run = await world.run(first, toRunOptions(ports, world.objects))
      expect(run.status).toBe('FAILED')
      expect(world.activity()).toEqual(new Map())
      expect((await world.run(second)).status).toBe('SUCCEEDED')
      expect(world.activity()).toEqual(toExpectedActivity({ rows: 40 }))
    }
  })

  it('leaves the other its version, where the bucket keeps versions, and counts for itself', async () => {
    const world = createMemoryWorld({ versioned: true })
    const first = await world.put('data/a.csv', toUserLog({ rows: 30 }))
    const second = await world.put('data/a.csv', toUserLog({ rows: 40 }))
    expect((await world.run(second)).status).toBe('SUCCEEDED')
    expect((await world.run(first)).output).toMatchObject({ processing: { successCount: 30 } })
    expect(world.activity()).toEqual(toExpectedActivity({ rows: 40 }))
  })
})

describe('a file that is mended and uploaded again', () => {
  it('counts every row once', async () => {
    const world = createMemoryWorld()
    const bad = Array.from({ length: 60 }, (_, index) => index + 1)
    const failed = await world.run(await world.put('data/a.csv', toUserLog({ rows: 1000, bad })))
    expect(failed.error).toBe('ToleranceExceededError')
    await world.run(await world.put('data/other.csv', 'user_id,login_count,post_count\nU000001,100,200\n'))

    const mended = await world.run(await world.put('data/a.csv', toUserLog({ rows: 1000 })))
    expect(mended.status).toBe('SUCCEEDED')
    const expected = toExpectedActivity({ rows: 1000 })
    expect(world.activity()).toEqual(new Map([...expected, ['U000001', [101, 201]]]))
    expect(new Set(world.sink.rows().map(row => row.upload_order)).size).toBe(2)
  })

  it('comes back out of a spreadsheet as it went in, and holds nothing that runs', async () => {
    const world = createMemoryWorld()
    const rows = Array.from({ length: 60 }, (_, row) => `U${row},1,1`)
    const log = ['user_id,login_count,post_count', '=1+1,1,1', 'U100,-5,1', ...rows].join('\n')
    const run = await world.run(await world.put('data/a.csv', log))
    const rejected = await world.readOutput(`results/${idOf(run)}/rejected.csv`)
    expect(rejected.startsWith('\uFEFFuser_id,')).toBe(true)
    expect(rejected).toMatch(/\n'=1\+1,1,1,/)
    expect(rejected).not.toMatch(/[\n,]"?[=+@-]/)

    const again = await world.run(await world.put('data/again.csv', rejected))
    expect(again.error).toBe('ToleranceExceededError')
    expect(await world.readOutput(`results/${idOf(again)}/rejected.csv`)).toBe(rejected)
  })
})

describe('a database that is gone for good', () => {
  it('ends the execution soon, recorded and sealed', async () => {
    const world = createMemoryWorld()
    const down = async (): Promise<never> => {
      throw new DatabaseConnectionError('nobody answers')
    }
    const writer = { ...world.ports.writer, write: down }
    const ports = toPorts({ ...world.ports, writer, ledger: { find: down } })
    const event = await world.put('data/a.csv', toUserLog({ rows: 5000 }))
    const run = await world.run(event, toRunOptions(ports, world.objects))
    expect(run).toMatchObject({ status: 'FAILED', error: 'States.ExceedToleratedFailureThreshold' })
    // One wave of the Map: five children, four attempts each.
    expect(run.calls.filter(({ state }) => state === 'ProcessSingleUserRecord').length).toBeLessThanOrEqual(
      20,
    )
    expect(await world.ports.audit.verify(idOf(run))).toMatchObject({ ok: true, entries: 5001, late: 0 })
  })
})
