import { describe, expect, it } from 'vitest'
import { keepMissingParts } from './keep-missing-parts.ts'

function setUp(kept: readonly number[] = []) {
  const parts = new Map<number, unknown>(kept.map(part => [part, 'kept before']))
  const log: unknown[] = []
  const work = {
    parts,
    signal: new AbortController().signal,
    async keep(part: number, value: unknown, progress: number) {
      parts.set(part, value)
      log.push([part, value, progress])
    },
  }
  return { work, parts, log }
}
const requests = ['a', 'b', 'c', 'd']
function progress(parts: number): number {
  return parts * 25
}

describe('keepMissingParts', () => {
  it('makes what is missing, in order, with the progress of all parts', async () => {
    const { work, log } = setUp([1])
    await keepMissingParts(work, requests, async request => request.toUpperCase(), { progress })
    expect(log).toEqual([
      [0, 'A', 50],
      [2, 'C', 75],
      [3, 'D', 100],
    ])
  })

  it('makes several at once, and no more', async () => {
    const { work, parts } = setUp()
    let running = 0
    let most = 0
    const make = async () => {
      running += 1
      most = Math.max(most, running)
      await new Promise(resolve => setImmediate(resolve))
      running -= 1
    }
    await keepMissingParts(work, requests, make, { parallel: 3, progress })
    expect([most, parts.size]).toEqual([3, 4])
  })

  it('keeps what is in hand when one fails, begins nothing more, and fails', async () => {
    const { work, parts } = setUp()
    const made: string[] = []
    const make = async (request: string) => {
      made.push(request)
      if (request === 'a') throw new Error('no a')
      return request
    }
    await expect(keepMissingParts(work, requests, make, { parallel: 2, progress })).rejects.toThrow('no a')
    expect([made, [...parts]]).toEqual([['a', 'b'], [[1, 'b']]])
  })

  it('begins nothing after it was stopped', async () => {
    const { work, log } = setUp()
    const stopping = new AbortController()
    const make = async () => stopping.abort(new Error('cancelled'))
    const stopped = { ...work, signal: stopping.signal }
    await expect(keepMissingParts(stopped, requests, make, { progress })).rejects.toThrow('cancelled')
    expect(log).toHaveLength(1)
  })
})
