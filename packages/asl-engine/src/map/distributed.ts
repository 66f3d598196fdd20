import type { MapRunCounts, MapRunLimits, MapRunStatus } from '../execution/execution.ts'
import { record, recordAfter, type Thread } from '../execution/thread.ts'
import { Interrupted, StateFailure } from '../failures/state-failure.ts'
import type { Json } from '../json.ts'
import { isPromise, type MaybePromise } from '../maybe-promise.ts'
import { type CancellationSource, createCancellation } from '../time/cancellation.ts'
import { needsTurn, takeTurn } from '../time/turn.ts'
import { type Child, createFamily } from './child.ts'
import { type ResultSink, statusOf } from './child-result.ts'
import { type ChildMachine, ChildRun, maxExpressMs, type Parent } from './child-run.ts'
import { ChildSource } from './child-source.ts'
import type { ChildInputs } from './item-batcher.ts'
import { exceedsCount, isExceeded, type Tolerance } from './settings.ts'
import { WaitingChildren } from './waiting-children.ts'
import { createWorkers, type Workers } from './workers.ts'

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
  readonly children: AsyncGenerator<ChildInputs>
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
export function runDistributed(map: DistributedMap, thread: Thread, plan: MapRunPlan): Promise<Json> {
  return new MapRun(map, thread, plan).run()
}

type Outcome = 'succeeded' | 'failed' | 'timedOut' | 'aborted'

const outcomes: Readonly<Record<ReturnType<typeof statusOf>, Outcome>> = {
  SUCCEEDED: 'succeeded',
  FAILED: 'failed',
  TIMED_OUT: 'timedOut',
  ABORTED: 'aborted',
}

class MapRun {
  readonly #map: DistributedMap
  readonly #thread: Thread
  readonly #plan: MapRunPlan
  readonly #parent: Parent
  readonly #source: ChildSource
  readonly #workers: Workers
  readonly #cancellation: CancellationSource
  readonly #items = newCounts()
  readonly #executions = newCounts()
  readonly #waiting = new WaitingChildren()
  #maxConcurrency: number
  #tolerance: Tolerance
  #ended: unknown
  #stopTimer: (() => void) | undefined

  constructor(map: DistributedMap, thread: Thread, plan: MapRunPlan) {
    const { mapRunArn, startedId, redriveCount } = plan
    const family = createFamily({ thread, mapRunArn, ...map })
    this.#map = map
    this.#thread = thread
    this.#plan = plan
    this.#parent = { machine: map, thread, family, mapRunArn, startedId, redriveCount }
    this.#source = new ChildSource(family, plan.children, thread.execution.engine.clock)
    this.#maxConcurrency = plan.maxConcurrency
    this.#tolerance = plan.tolerance
    this.#cancellation = createCancellation(thread.cancellation)
    this.#cancellation.listen({ interrupt: () => this.#waiting.interruptAll() })
    this.#workers = createWorkers({
      execution: thread.execution,
      most: () => this.#maxConcurrency || distributedConcurrency,
      work: () => this.#work(),
      running: () => this.#executions.running,
      finished: () => this.#executions.total - this.#executions.running,
    })
  }

  async run(): Promise<Json> {
    const thread = this.#thread
    const { mapRuns } = thread.execution.engine
    mapRuns?.onStart(this.#status('RUNNING'), { update: limits => this.#update(limits) })
    await this.#workers.run()
    await this.#source.close()
    this.#stopTimer?.()
    this.#cancellation.detach()
    if (thread.cancellation.cancelled) {
      mapRuns?.onChange(this.#status('ABORTED'))
      throw new Interrupted()
    }
    try {
      if (isExceeded(this.#tolerance, this.#notDone(), this.#items.total)) this.#ended ??= thresholdFailure()
      if (this.#ended !== undefined) throw this.#ended
      const result = await this.#plan.sink.finish()
      if (this.#plan.sink.isWriter)
        for (const counts of [this.#items, this.#executions]) counts.resultsWritten = counts.total
      record(thread, 'MapRunSucceeded')
      mapRuns?.onChange(this.#status('SUCCEEDED'))
      recordAfter(thread, thread.lastEventId, 'MapStateSucceeded')
      return result
    } catch (error) {
      mapRuns?.onChange(this.#status('FAILED'))
      if (error instanceof StateFailure)
        record(thread, 'MapRunFailed', { error: error.error, cause: error.cause })
      throw error
    }
  }

  /** Runs one child after the other. One async function for all of them: an object of its own for each costs more than the child. */
  async #work(): Promise<boolean> {
    const post = this.#waiting.open()
    const { execution } = this.#thread
    const { engine } = execution
    // A child that follows another at once begins when that one ended: a reading of the clock less for each.
    let nowMs: number | undefined
    try {
      while (this.#workers.mayGoOn()) {
        const taken = this.#next()
        if (isPromise(taken)) nowMs = undefined
        const next = isPromise(taken) ? await taken : taken
        if (next === undefined || this.#cancellation.cancelled) return false
        const beganMs = nowMs ?? engine.clock.now()
        const child = new ChildRun(this.#parent, next, beganMs)
        nowMs = undefined
        let became: Outcome = 'aborted'
        this.#countBegun(next)
        try {
          let ending = child.onRecord()
          if (ending === undefined) {
            try {
              const run = child.prepare()
              let waiting = run.begin(next.input, beganMs)
              if (waiting !== undefined) {
                post.child = child
                this.#watch()
              }
              while (waiting !== undefined) {
                try {
                  waiting = run.resume(await waiting)
                } catch (error) {
                  throw run.settle(error)
                }
              }
              ending = child.succeed(run.output)
            } catch (error) {
              ending = child.fail(error)
            }
            post.child = undefined
            nowMs = ending?.stopMs
          }
          if (ending !== undefined) {
            became = outcomes[statusOf(ending)]
            const added = this.#plan.sink.add(next, ending)
            if (isPromise(added)) {
              await added
              nowMs = undefined
            }
          }
        } finally {
          this.#countEnded(next, became)
        }
        this.#endIfExceeded()
        if (needsTurn(execution)) {
          await takeTurn(execution)
          nowMs = undefined
        }
      }
    } catch (error) {
      this.#end(error)
      return false
    } finally {
      this.#waiting.close(post)
    }
    return !this.#cancellation.cancelled
  }

  #next(): MaybePromise<Child | undefined> {
    return this.#cancellation.cancelled || !this.#workers.mayGoOn() ? undefined : this.#source.next()
  }

  /** A child that waits can be stopped, and is ended if it is Express and waits for too long. */
  #watch(): void {
    // Its function may have ended the run before it could be said to wait.
    if (this.#cancellation.cancelled) queueMicrotask(() => this.#waiting.interruptAll())
    if (this.#map.executionType === 'EXPRESS' && this.#stopTimer === undefined) this.#watchOldest()
  }

  /** One timer is enough for all: who began first is the first to be late. */
  #watchOldest(): void {
    const { clock } = this.#thread.execution.engine
    const oldest = this.#waiting.oldest()
    if (this.#stopTimer !== undefined || oldest === undefined) return
    this.#stopTimer = clock.at(oldest.startMs + maxExpressMs, () => {
      this.#stopTimer = undefined
      this.#waiting.expireUntil(clock.now() - maxExpressMs)
      this.#watchOldest()
    })
  }

  #countBegun({ itemCount }: Child): void {
    this.#items.running += itemCount
    this.#items.total += itemCount
    this.#executions.running += 1
    this.#executions.total += 1
  }

  #countEnded({ itemCount }: Child, became: Outcome): void {
    this.#items.running -= itemCount
    this.#items[became] += itemCount
    this.#executions.running -= 1
    this.#executions[became] += 1
  }

  #notDone(): number {
    return this.#items.failed + this.#items.timedOut
  }

  #end(error: unknown): void {
    this.#ended ??= error
    this.#cancellation.cancel()
  }

  #endIfExceeded(): void {
    if (exceedsCount(this.#tolerance, this.#notDone())) this.#end(thresholdFailure())
  }

  #update(limits: MapRunLimits): void {
    const { count, percentage } = this.#tolerance
    this.#maxConcurrency = limits.maxConcurrency ?? this.#maxConcurrency
    this.#tolerance = {
      count: limits.toleratedFailureCount ?? count,
      percentage: limits.toleratedFailurePercentage ?? percentage,
    }
    this.#thread.execution.engine.mapRuns?.onChange(this.#status('RUNNING'))
    this.#endIfExceeded()
    this.#workers.grow()
  }

  #status(status: MapRunStatus['status']): MapRunStatus {
    const { mapRunArn, startMs, redriveCount } = this.#plan
    const { engine, identity, redriveMs } = this.#thread.execution
    return {
      mapRunArn,
      executionArn: identity.arn,
      stateName: this.#map.name,
      maxConcurrency: this.#maxConcurrency,
      toleratedFailureCount: this.#tolerance.count ?? 0,
      toleratedFailurePercentage: this.#tolerance.percentage ?? 0,
      startMs,
      redriveCount,
      redriveMs: redriveCount === 0 ? undefined : redriveMs,
      stopMs: status === 'RUNNING' ? undefined : engine.clock.now(),
      status,
      items: this.#items,
      executions: this.#executions,
    }
  }
}

export function thresholdFailure(): StateFailure {
  return new StateFailure(
    'States.ExceedToleratedFailureThreshold',
    'The specified tolerated failure threshold was exceeded',
  )
}
