import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mergeSorted } from './merge-sorted.ts'
import { all } from './test/audit-trail.ts'

async function* from<T>(items: readonly T[], ended: () => unknown = () => {}): AsyncGenerator<T> {
  try {
    yield* items
  } finally {
    ended()
  }
}

describe('mergeSorted', () => {
  it('gives everything in order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(fc.nat(20)), { maxLength: 5 }), async lists => {
        const sorted = lists.map(list => list.toSorted((a, b) => a - b))
        const merged = await all(
          mergeSorted(
            sorted.map(list => from(list)),
            (a, b) => a - b,
          ),
        )
        expect(merged).toEqual(lists.flat().sort((a, b) => a - b))
      }),
    )
  })

  it('ends every stream, also when nobody reads on', async () => {
    const ended: number[][] = []
    const streams = [[1, 4], [2, 3], []].map(list => from(list, () => ended.push(list)))
    for await (const item of mergeSorted(streams, (a, b) => a - b)) if (item === 2) break
    expect(ended).toHaveLength(3)
  })
})
