import { DatabaseConnectionError } from '@stepwright/errors'
import { describe, expect, it } from 'vitest'
import {
  createMemoryWorld,
  type MemoryWorld,
  smallChunks,
  toPorts,
  toRunOptions,
} from './test/memory-world.ts'
import { toExpectedActivity, toUserLog } from './test/user-log.ts'

const good = { rows: 100, users: 40 }
const newer = { rows: 120, users: 50 }

function bad(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1)
}

/** A world whose readers see a good upload of the file. */
async function withGoodUpload(): Promise<MemoryWorld> {
  const world = createMemoryWorld()
  const run = await world.run(await world.put('data/month.csv', toUserLog(good)))
  expect(run.status).toBe('SUCCEEDED')
  expect(world.activity()).toEqual(toExpectedActivity(good))
  return world
}

describe('an upload', () => {
  it.each([60, 100])('that fails with %d bad rows of 100 changes nothing that readers see', async count => {
    const world = await withGoodUpload()
    const event = await world.put('data/month.csv', toUserLog({ rows: 100, bad: bad(count) }))
    expect(await world.run(event)).toMatchObject({ status: 'FAILED', error: 'ToleranceExceededError' })
    expect(world.activity()).toEqual(toExpectedActivity(good))
  })

  it('that is not a CSV changes nothing that readers see', async () => {
    const world = await withGoodUpload()
    expect((await world.run(await world.put('data/month.csv', 'id\n1\n'))).status).toBe('FAILED')
    expect(world.activity()).toEqual(toExpectedActivity(good))
  })

  it('that ends with a system error changes nothing, until the same input is run again and succeeds', async () => {
    const world = await withGoodUpload()
    const event = await world.put('data/month.csv', toUserLog(newer))
    let writes = 0
    const { writer } = world.ports
    const breaking = toPorts({
      ...world.ports,
      writer: {
        ...writer,
        write(chunk) {
          writes += 1
          if (writes > 5) throw new DatabaseConnectionError('gone')
          return writer.write(chunk)
        },
      },
    })
    const failed = await world.run(event, toRunOptions(breaking, world.objects), smallChunks)
    expect(failed.status).toBe('FAILED')
    expect(writes).toBeGreaterThan(5)
    expect(world.activity()).toEqual(toExpectedActivity(good))

    const again = await world.run(event, {}, smallChunks)
    expect(again.status).toBe('SUCCEEDED')
    expect(world.activity()).toEqual(toExpectedActivity(newer))
    expect(new Set(world.sink.rows().map(row => row.upload_order)).size).toBe(1)
  })

  it('is seen all at once: readers never see a partial sum', async () => {
    const world = await withGoodUpload()
    const event = await world.put('data/month.csv', toUserLog(newer))
    const seen: unknown[] = []
    const { writer } = world.ports
    const watched = toPorts({
      ...world.ports,
      writer: {
        ...writer,
        async write(chunk) {
          const written = await writer.write(chunk)
          seen.push(world.activity())
          return written
        },
        clearScope(...given) {
          // What it deletes is out of sight already.
          expect(world.activity()).toEqual(toExpectedActivity(newer))
          return writer.clearScope(...given)
        },
      },
    })
    const run = await world.run(event, toRunOptions(watched, world.objects), smallChunks)
    expect(run.status).toBe('SUCCEEDED')
    expect(seen).toEqual(seen.map(() => toExpectedActivity(good)))
    expect(seen.length).toBeGreaterThan(10)
    expect(world.activity()).toEqual(toExpectedActivity(newer))
  })

  it('that is completed after a later one of the same file stays out of sight, and leaves nothing behind', async () => {
    const world = createMemoryWorld({ versioned: true })
    const first = await world.put('data/month.csv', toUserLog(good))
    const second = await world.put('data/month.csv', toUserLog(newer))
    expect((await world.run(second)).status).toBe('SUCCEEDED')
    expect((await world.run(first)).status).toBe('SUCCEEDED')
    expect(world.activity()).toEqual(toExpectedActivity(newer))
    expect(new Set(world.sink.rows().map(row => row.upload_order)).size).toBe(1)
  })
})
