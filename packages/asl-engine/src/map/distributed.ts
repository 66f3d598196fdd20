import type { MapRunCounts, MapRunStatus } from '../execution/execution.ts'
import { record, recordAfter, type Thread } from '../execution/thread.ts'
import { Interrupted, StateFailure } from '../failures/state-failure.ts'
import type { Json } from '../json.ts'
import { isPromise, type MaybePromise } from '../maybe-promise.ts'
import { createCancellation } from '../time/cancellation.ts'
import type { Clock } from '../time/clock.ts'
import { needsTurn, takeTurn } from '../time/turn.ts'
import { type ChildMachine, runChild } from './child-execution.ts'
import type { ResultSink } from './child-result.ts'
import type { ChildInput } from './item-batcher.ts'
import { exceedsCount, isExceeded, type Tolerance } from './settings.ts'
import { createWorkers } from './workers.ts'

/** AWS runs up to 10,000 children at once; in one process more than this only costs memory. */
const distributedConcurrency = 1000

export interface DistributedMap extends ChildMachine {
  readonly name: string
}

/** What a Map run is about to do. */
export interface MapRunPlan {
  readonly mapRunArn: string
  /** The event that began the run. */
  readonly startedId: number
  readonly startMs: number
  readonly redriveCount: number
  readonly children: AsyncGenerator<readonly ChildInput[]>
  readonly maxConcurrency: number
  readonly tolerance: Tolerance
  readonly sink: ResultSink
}

function newCounts(): MapRunCounts {
  return {
    pending: 0,
    running: 0,
    succeeded: 0,
    failed: 0,
    timedOut: 0,
    aborted: 0,
    total: 0,
    resultsWritten: 0,
  }
}

/** Each item (or batch) becomes a child execution of its own, with a history of its own that nobody keeps. */
export async function runDistributed(map: DistributedMap, thread: Thread, plan: MapRunPlan): Promise<Json> {
  const { engine } = thread.execution
  const cancellation = createCancellation(thread.cancellation)
  const items = newCounts()
  const executions = newCounts()
  let { maxConcurrency, tolerance } = plan
  let ended: unknown

  const status = (state: MapRunStatus['status']): MapRunStatus => ({
    mapRunArn: plan.mapRunArn,
    executionArn: thread.execution.arn,
    stateName: map.name,
    maxConcurrency,
    toleratedFailureCount: tolerance.count ?? 0,
    toleratedFailurePercentage: tolerance.percentage ?? 0,
    startMs: plan.startMs,
    redriveCount: plan.redriveCount,
    redriveMs: plan.redriveCount === 0 ? undefined : thread.execution.redriveMs,
    stopMs: state === 'RUNNING' ? undefined : engine.clock.now(),
    status: state,
    items,
    executions,
  })
  const end = (error: unknown): void => {
    ended ??= error
    cancellation.cancel()
  }
  const endIfExceeded = (): void => {
    if (exceedsCount(tolerance, notDone())) end(thresholdFailure())
  }
  const run = async (child: ChildInput, index: number): Promise<void> => {
    items.running += child.itemCount
    items.total += child.itemCount
    executions.running += 1
    executions.total += 1
    const { mapRunArn, startedId, redriveCount } = plan
    const of = { thread, mapRunArn, place: `${startedId}:${index}`, index, redriveCount }
    let became: 'succeeded' | 'failed' | 'timedOut' | 'aborted' = 'aborted'
    try {
      const result = await runChild(map, child, of, cancellation)
      if (result === undefined) return
      became = result.timedOut === true ? 'timedOut' : result.output === undefined ? 'failed' : 'succeeded'
      await plan.sink.add(result, index)
    } finally {
      items.running -= child.itemCount
      executions.running -= 1
      items[became] += child.itemCount
      executions[became] += 1
    }
    endIfExceeded()
  }
  const notDone = (): number => items.failed + items.timedOut
  const next = createSource(plan.children, engine.clock)
  /** Whether there may be more to do. */
  const work = async (): Promise<boolean> => {
    const taken = cancellation.cancelled ? undefined : next()
    const child = isPromise(taken) ? await taken : taken
    if (child === undefined) return false
    await run(child.value, child.index)
    if (needsTurn(thread.execution)) await takeTurn(thread.execution)
    return !cancellation.cancelled
  }
  const workers = createWorkers({
    execution: thread.execution,
    most: () => maxConcurrency || distributedConcurrency,
    work: () =>
      work().catch(error => {
        end(error)
        return false
      }),
    finished: () => executions.total - executions.running,
  })
  engine.mapRuns?.onStart(status('RUNNING'), {
    update: limits => {
      maxConcurrency = limits.maxConcurrency ?? maxConcurrency
      tolerance = {
        count: limits.toleratedFailureCount ?? tolerance.count,
        percentage: limits.toleratedFailurePercentage ?? tolerance.percentage,
      }
      engine.mapRuns?.onChange(status('RUNNING'))
      endIfExceeded()
      workers.grow()
    },
  })
  await workers.run()
  await plan.children.return(undefined)
  cancellation.detach()
  if (thread.cancellation.cancelled) {
    engine.mapRuns?.onChange(status('ABORTED'))
    throw new Interrupted()
  }
  if (isExceeded(tolerance, notDone(), items.total)) ended ??= thresholdFailure()
  const failure = ended instanceof StateFailure ? ended.in(thread.stateName, thread.enteredEventId) : ended
  if (failure !== undefined) {
    engine.mapRuns?.onChange(status('FAILED'))
    if (failure instanceof StateFailure) {
      record(thread, 'MapRunFailed', { error: failure.error, cause: failure.cause })
    }
    throw failure
  }
  const result = await plan.sink.finish()
  record(thread, 'MapRunSucceeded')
  engine.mapRuns?.onChange(status('SUCCEEDED'))
  recordAfter(thread, thread.lastEventId, 'MapStateSucceeded')
  return result
}

export function thresholdFailure(): StateFailure {
  return new StateFailure(
    'States.ExceedToleratedFailureThreshold',
    'The specified tolerated failure threshold was exceeded',
  )
}

interface NextChild {
  readonly value: ChildInput
  readonly index: number
}

/** Hands out the children one by one to whichever worker asks; all wait together for the next list. */
function createSource(
  lists: AsyncGenerator<readonly ChildInput[]>,
  clock: Clock,
): () => MaybePromise<NextChild | undefined> {
  let list: readonly ChildInput[] = []
  let at = 0
  let index = 0
  let filling: Promise<void> | undefined
  let isEmpty = false
  const fill = async (): Promise<void> => {
    const release = clock.hold()
    try {
      const { value, done } = await lists.next()
      list = done ? [] : value
      at = 0
      isEmpty = done === true
      filling = undefined
    } finally {
      release()
    }
  }
  const take = (): NextChild | undefined => {
    const value = list[at]
    if (value === undefined) return undefined
    at += 1
    index += 1
    return { value, index: index - 1 }
  }
  const wait = async (): Promise<NextChild | undefined> => {
    while (!isEmpty) {
      filling ??= fill()
      await filling
      const child = take()
      if (child !== undefined) return child
    }
    return undefined
  }
  return () => take() ?? wait()
}
