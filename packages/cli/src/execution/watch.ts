import { setTimeout as wait } from 'node:timers/promises'
import {
  DescribeExecutionCommand,
  DescribeMapRunCommand,
  type HistoryEvent,
  paginateGetExecutionHistory,
  type SFNClient,
} from '@aws-sdk/client-sfn'
import { countTransitions } from '@stepwright/asl-engine'
import { createProgressReader, type StateProgress } from './progress.ts'

export interface WatchedExecution {
  readonly status: string
  /** The JSON text of a success. */
  readonly output: string | undefined
  readonly error: string | undefined
  readonly cause: string | undefined
  readonly states: readonly StateProgress[]
  /** State transitions, as AWS bills them, without those of children of Distributed Maps. */
  readonly transitions: number
  /** The runs of Distributed Maps. */
  readonly mapRunArns: readonly string[]
}

export interface WatchOptions {
  readonly onProgress?: (states: readonly StateProgress[]) => void
  /** @default 150 */
  readonly pollMs?: number
  /** @default setTimeout */
  readonly sleep?: (ms: number) => Promise<void>
}

/** Follows an execution to its end. */
export async function watchExecution(
  client: SFNClient,
  executionArn: string,
  { onProgress = () => {}, pollMs = 150, sleep = wait }: WatchOptions = {},
): Promise<WatchedExecution> {
  const reader = createProgressReader()
  const types: Pick<HistoryEvent, 'type'>[] = []
  const mapRunArns: string[] = []
  for (;;) {
    // First the status, then the history: an end that is seen has its events in the history.
    const {
      status = '',
      output,
      error,
      cause,
    } = await client.send(new DescribeExecutionCommand({ executionArn }))
    let position = 0
    for await (const { events = [] } of paginateGetExecutionHistory(
      { client, pageSize: 1000 },
      { executionArn },
    )) {
      const fresh = events.slice(Math.max(0, types.length - position))
      position += events.length
      reader.add(fresh)
      for (const { type, mapRunStartedEventDetails: { mapRunArn } = {} } of fresh) {
        types.push({ type })
        if (mapRunArn !== undefined) mapRunArns.push(mapRunArn)
      }
    }
    const states = await Promise.all(reader.states().map(state => countItems(client, state)))
    onProgress(states)
    if (status !== 'RUNNING')
      return {
        status,
        output,
        error,
        cause,
        states,
        transitions: countTransitions(types),
        mapRunArns,
      }
    await sleep(pollMs)
  }
}

/** A Distributed Map's items are counted by its run. */
async function countItems(client: SFNClient, state: StateProgress): Promise<StateProgress> {
  const { mapRunArn } = state
  if (mapRunArn === undefined) return state
  const { itemCounts } = await client.send(new DescribeMapRunCommand({ mapRunArn }))
  const { succeeded = 0, failed = 0, total = 0 } = itemCounts ?? {}
  return { ...state, items: { done: succeeded, failed, total } }
}
