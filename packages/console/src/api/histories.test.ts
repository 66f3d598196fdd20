import type { HistoryEvent, SFNClient } from '@aws-sdk/client-sfn'
import { expect, it } from 'vitest'
import { createHistories } from './histories.ts'

function eventsTo(count: number): HistoryEvent[] {
  return Array.from(
    { length: count },
    (_, index) => ({ id: index + 1, type: 'PassStateEntered' }) as HistoryEvent,
  )
}

it('reads what is new at once where the service is in the same process, without a request', async () => {
  let events = eventsTo(3)
  const asked: number[] = []
  const histories = createHistories({} as SFNClient, (_, after) => {
    asked.push(after)
    return events.slice(after)
  })
  expect(await histories.read('a')).toHaveLength(3)
  events = eventsTo(7000)
  expect((await histories.read('a')).map(({ id }) => id)).toEqual(events.map(({ id }) => id))
  expect(asked).toEqual([0, 3])
})

it('reads from the end backwards to what is known otherwise', async () => {
  let events = eventsTo(1500)
  const client = {
    async send({ input }: { input: { reverseOrder?: boolean; maxResults: number; nextToken?: string } }) {
      const ordered = input.reverseOrder ? events.toReversed() : events
      const from = Number(input.nextToken ?? 0)
      const to = from + input.maxResults
      return { events: ordered.slice(from, to), ...(to < events.length && { nextToken: String(to) }) }
    },
  } as unknown as SFNClient
  const histories = createHistories(client, () => {
    throw new Error('not known')
  })
  expect(await histories.read('a')).toHaveLength(1500)
  events = eventsTo(4000)
  expect((await histories.read('a')).map(({ id }) => id)).toEqual(events.map(({ id }) => id))
})
