import { describe, expect, it } from 'vitest'
import { createSpareBuffers } from './spare-buffers.ts'

describe('createSpareBuffers', () => {
  it('gives a buffer back that is long enough, whole', () => {
    const spare = createSpareBuffers()
    const [short, long] = [spare.take(10), spare.take(100)]
    spare.give(short.subarray(2, 4))
    spare.give(long.subarray(0, 50))
    expect(spare.take(60).buffer).toBe(long.buffer)
    expect(spare.take(60).buffer).not.toBe(long.buffer)
    expect(spare.take(10).length).toBe(10)
  })

  it('keeps no more than 8 MiB', () => {
    const spare = createSpareBuffers()
    const [first, second] = [spare.take(5 * 1024 * 1024), spare.take(5 * 1024 * 1024)]
    spare.give(first)
    spare.give(second)
    expect(spare.take(1).buffer).toBe(first.buffer)
    expect(spare.take(1).buffer).not.toBe(second.buffer)
  })
})
