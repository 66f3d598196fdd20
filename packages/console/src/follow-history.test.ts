import type { HistoryEvent } from '@aws-sdk/client-sfn'
import { awsPrices, noUsage } from '@stepwright/asl-engine'
import { expect, it } from 'vitest'
import { createConsoleFeed } from './feed.ts'
import { followHistory } from './follow-history.ts'

it('reads a history at once when the status of its execution changes, however long the rest is', async () => {
  const arn = 'arn:aws:states:us-east-1:000000000000:execution:m:e'
  const events: HistoryEvent[] = [{ id: 1, type: 'ExecutionStarted', timestamp: new Date(0) }]
  const feed = createConsoleFeed()
  const left = new AbortController()
  const sent: number[][] = []
  const rests: Promise<void>[] = []
  const following = followHistory(
    {
      feed,
      histories: { read: async () => events },
      prices: awsPrices,
      running: { services: { stepFunctions: { mapRunUsage: () => noUsage } } } as never,
      stepFunctions: undefined as never,
    },
    {
      arn,
      after: 0,
      signal: left.signal,
      send: message => message.topic === 'history' && sent.push(message.events.map(({ id }) => id)),
      // Nobody wakes it but the signal.
      sleep: (_, signal) => {
        const rest = new Promise<void>((_resolve, reject) => {
          if (signal.aborted) reject(signal.reason)
          signal.addEventListener('abort', () => reject(signal.reason))
        })
        rests.push(rest)
        return rest
      },
    },
  )
  await expect.poll(() => rests.length).toBe(1)
  events.push({ id: 2, type: 'ExecutionSucceeded', timestamp: new Date(1) })
  feed.onStatusChange({ detail: { executionArn: `${arn}-of-another` } } as never)
  feed.onStatusChange({ detail: { executionArn: arn } } as never)
  await expect.poll(() => rests.length).toBe(2)
  expect(sent).toEqual([[1], [2]])
  left.abort()
  await following
})
