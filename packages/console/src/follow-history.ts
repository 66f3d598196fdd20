import { setTimeout as wait } from 'node:timers/promises'
import type { ApiContext } from './api/context.ts'
import { costOf } from './api/cost.ts'
import { toLightEvent } from './api/histories.ts'
import { describeMapRuns } from './api/map-runs.ts'
import { isClosing, type LiveMessage } from './protocol.ts'

const minRestMs = 250
/** A long history takes long to read: so many times as long, nothing is read then. */
const restFactor = 4
const rareTurns = 20

export interface FollowHistoryOptions {
  readonly arn: string
  /** The last event that the page has. */
  readonly after: number
  readonly send: (message: LiveMessage) => void
  readonly signal: AbortSignal
  /** Rejects on abort. @default a timer */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>
}

/** Tells what is new in the history that the page looks at, as long as it looks. */
export async function followHistory(
  context: Pick<ApiContext, 'feed' | 'histories' | 'running' | 'prices' | 'stepFunctions'>,
  { arn, after, send, signal, sleep = sleepFor }: FollowHistoryOptions,
): Promise<void> {
  let last = after
  let hasEnded = false
  let told = ''
  let changed = new AbortController()
  // What has ended is asked for rarely before its status changes, as by a redrive.
  using ends = new DisposableStack()
  ends.defer(
    context.feed.subscribe({
      onStatusChange({ detail }) {
        if (detail.executionArn === arn) changed.abort()
      },
    }),
  )
  for (let turn = 0; !signal.aborted; turn += 1) {
    const startedMs = performance.now()
    if (changed.signal.aborted) {
      hasEnded = false
      changed = new AbortController()
    }
    if (!hasEnded || turn % rareTurns === 0) {
      const events = await context.histories.read(arn)
      const [mapRuns, cost] = [await describeMapRuns(context, events), costOf(context, arn, events)]
      const fresh = events.slice(last)
      const state = JSON.stringify([mapRuns, cost])
      if (fresh.length > 0 || state !== told) {
        send({ topic: 'history', arn, events: fresh.map(toLightEvent), mapRuns, cost })
        last += fresh.length
        told = state
      }
      hasEnded = isClosing(events.at(-1)?.type)
    }
    const restMs = Math.max(minRestMs, restFactor * (performance.now() - startedMs))
    await sleep(restMs, AbortSignal.any([signal, changed.signal])).catch(() => undefined)
  }
}

function sleepFor(ms: number, signal: AbortSignal): Promise<void> {
  return wait(ms, undefined, { signal })
}
