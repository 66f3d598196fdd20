import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createCoalescingWriter } from './coalescing-writer.ts'
import { createVirtualClock } from './test/virtual-clock.ts'

describe('createCoalescingWriter', () => {
  it('writes the first at once, then the latest per interval, and the last when closed', async () => {
    const clock = createVirtualClock()
    const writes: string[] = []
    const writer = createCoalescingWriter<number>({
      ...clock,
      intervalMs: 1000,
      onError: () => {},
      write: async value => void writes.push(`${value} at ${clock.now()}`),
    })
    for (let value = 0; value < 25; value += 1) {
      writer.put(value)
      await clock.advance(100)
    }
    await writer.close()
    expect(writes).toEqual(['0 at 0', '9 at 1000', '19 at 2000', '24 at 2500'])
  })

  it('writes again what failed, unless something newer came', async () => {
    const clock = createVirtualClock()
    const tried: number[] = []
    const errors: unknown[] = []
    const writer = createCoalescingWriter<number>({
      ...clock,
      intervalMs: 1000,
      onError: error => errors.push(error),
      async write(value) {
        tried.push(value)
        if (tried.length <= 2) throw new Error('down')
      },
    })
    writer.put(1)
    await clock.advance(1000)
    expect(tried).toEqual([1, 1])
    writer.put(2)
    await clock.advance(3000)
    expect(tried).toEqual([1, 1, 2])
    expect(errors).toHaveLength(2)
    await writer.close()
  })

  it('waits no longer than the interval when the clock is set back', async () => {
    const { now, sleep, advance } = createVirtualClock()
    let offsetMs = 0
    const writes: number[] = []
    const writer = createCoalescingWriter<number>({
      now: () => now() + offsetMs,
      sleep,
      intervalMs: 1000,
      onError: () => {},
      write: async value => void writes.push(value),
    })
    writer.put(1)
    await advance(500)
    offsetMs = -3_600_000
    writer.put(2)
    await advance(1000)
    expect(writes).toEqual([1, 2])
    await writer.close()
  })

  it('does not hang on a broken store when it is closed', async () => {
    const errors: unknown[] = []
    const writer = createCoalescingWriter<number>({
      ...createVirtualClock(),
      intervalMs: 1000,
      onError: error => errors.push(error),
      write: async () => {
        throw new Error('down')
      },
    })
    writer.put(1)
    await writer.close()
    writer.put(2)
    await writer.close()
    expect(errors.length).toBeGreaterThan(0)
  })

  it('never starts two writes within an interval, and never loses the last value', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ pause: fc.nat(700), writeMs: fc.nat(1500) }), { minLength: 1, maxLength: 30 }),
        async puts => {
          const clock = createVirtualClock()
          const writes: { readonly value: number; readonly at: number }[] = []
          const never = new AbortController().signal
          const writer = createCoalescingWriter<number>({
            ...clock,
            intervalMs: 1000,
            onError: () => {},
            async write(value) {
              writes.push({ value, at: clock.now() })
              await clock.sleep(puts[value]?.writeMs ?? 0, never)
            },
          })
          for (const [value, { pause }] of puts.entries()) {
            writer.put(value)
            await clock.advance(pause)
          }
          const beforeClosing = writes.length
          const closed = writer.close()
          await clock.advance(10_000)
          await closed
          expect(writes.at(-1)?.value).toBe(puts.length - 1)
          for (let n = 1; n < beforeClosing; n += 1) {
            expect((writes[n]?.at ?? 0) - (writes[n - 1]?.at ?? 0)).toBeGreaterThanOrEqual(1000)
          }
          expect(writes.length - beforeClosing).toBeLessThanOrEqual(1)
        },
      ),
      { numRuns: 50 },
    )
  })
})
