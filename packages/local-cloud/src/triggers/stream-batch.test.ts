import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runStreamBatch, type StreamRecord } from './stream-batch.ts'

function recordsOf(count: number): StreamRecord[] {
  return Array.from({ length: count }, (_, index) => ({ dynamodb: { SequenceNumber: String(index) } }))
}

function numbersOf(records: readonly StreamRecord[]): number[] {
  return records.map(({ dynamodb }) => Number(dynamodb.SequenceNumber))
}

/** What happens with so many records if the function answers so. */
async function run(count: number, answer: (numbers: readonly number[]) => unknown, maxRetries = 2) {
  const calls: number[][] = []
  const done: number[] = []
  const givenUp: (readonly [number, number])[] = []
  const pauses: number[] = []
  await runStreamBatch(recordsOf(count), {
    maxRetries,
    handle: async records => {
      const numbers = numbersOf(records)
      calls.push(numbers)
      return answer(numbers)
    },
    pause: async tries => void pauses.push(tries),
    onDone: async last => void done.push(...numbersOf([last])),
    onGivenUp: async (record, tries) => void givenUp.push([Number(record.dynamodb.SequenceNumber), tries]),
  })
  return { calls, done, givenUp, pauses }
}

function failedFrom(number: number): object {
  return { batchItemFailures: [{ itemIdentifier: String(number) }] }
}

describe('runStreamBatch', () => {
  it('is done with a batch that nothing is reported of', async () => {
    expect(await run(3, () => ({ batchItemFailures: [] }))).toEqual({
      calls: [[0, 1, 2]],
      done: [2],
      givenUp: [],
      pauses: [],
    })
  })

  it('goes on from the record that failed, tries it again by itself, and gives it up', async () => {
    const { calls, done, givenUp, pauses } = await run(4, numbers =>
      numbers.includes(1) ? failedFrom(1) : undefined,
    )
    expect(calls).toEqual([[0, 1, 2, 3], [1], [1], [1], [2, 3]])
    expect(done).toEqual([0, 1, 3])
    expect(givenUp).toEqual([[1, 3]])
    expect(pauses).toEqual([1, 2])
  })

  it('splits a batch that failed as a whole, until it knows which record it is', async () => {
    const { calls, givenUp } = await run(4, numbers => {
      if (numbers.includes(2)) throw new Error('broken')
    })
    expect(calls.slice(0, 4)).toEqual([[0, 1, 2, 3], [0, 1], [2, 3], [2]])
    expect(givenUp).toEqual([[2, 3]])
    expect(calls.at(-1)).toEqual([3])
  })

  it.each([{ batchItemFailures: 'x' }, failedFrom(99)])(
    'takes the report %j for a failure of all',
    async report => {
      const { calls, givenUp } = await run(2, () => report, 0)
      expect(calls).toEqual([[0, 1], [0], [1]])
      expect(givenUp.map(([number]) => number)).toEqual([0, 1])
    },
  )

  it('hands over every record in order, and none after one that is not done', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(12), fc.uniqueArray(fc.nat(11)), fc.boolean(), async (count, bad, throws) => {
        let seen = -1
        const { done, givenUp } = await run(count, numbers => {
          expect(numbers[0]).toBeLessThanOrEqual(seen + 1)
          const failed = numbers.find(number => bad.includes(number))
          if (failed === undefined) seen = Math.max(seen, numbers.at(-1) ?? 0)
          else if (throws) {
            if (numbers.length === 1) seen = Math.max(seen, failed)
            throw new Error('broken')
          } else seen = Math.max(seen, failed)
          return failed === undefined ? undefined : failedFrom(failed)
        })
        expect(done.at(-1)).toBe(count === 0 ? undefined : count - 1)
        expect(givenUp.map(([number]) => number)).toEqual(
          bad.filter(number => number < count).sort((one, other) => one - other),
        )
      }),
    )
  })
})
