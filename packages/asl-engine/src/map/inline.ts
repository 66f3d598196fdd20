import { MachineRun } from '../execution/run-machine.ts'
import { forkThread, type MapItem, record, recordAfter, type Thread } from '../execution/thread.ts'
import { Interrupted } from '../failures/state-failure.ts'
import type { EventKind } from '../history/event-kind.ts'
import type { Json } from '../json.ts'
import { isPromise, type MaybePromise } from '../maybe-promise.ts'
import type { CompiledMachine } from '../states/compiled-state.ts'
import { type Cancellation, type CancellationSource, createCancellation } from '../time/cancellation.ts'
import { needsTurn, takeTurn } from '../time/turn.ts'
import { itemOf, plainItem, type SelectItem } from './items.ts'
import type { ItemChunk } from './reader/item-chunk.ts'

/** AWS runs up to 40 iterations of an inline Map at once. */
const inlineConcurrency = 40

export interface InlineMap {
  readonly events: IterationEvents
  readonly processor: CompiledMachine
  readonly selectItem: SelectItem | undefined
}

/** The events of an iteration, of which the index is told. */
export interface IterationEvents {
  readonly started: EventKind<number>
  readonly succeeded: EventKind<number>
  readonly failed: EventKind<number>
  readonly aborted: EventKind<number>
}

export function iterationEvents(name: string): IterationEvents {
  const event = (what: string): EventKind<number> => ({
    type: `MapIteration${what}`,
    detailsOf: index => ({ name, index }),
  })
  return {
    started: event('Started'),
    succeeded: event('Succeeded'),
    failed: event('Failed'),
    aborted: event('Aborted'),
  }
}

/** Iterations inside the execution itself: they share its history. The first failure stops the others. */
export async function runInline(
  map: InlineMap,
  thread: Thread,
  input: Json,
  chunk: ItemChunk,
  maxConcurrency: number,
): Promise<readonly Json[]> {
  const iterations = new Iterations(map, thread, input, chunk)
  const workers = Math.min(chunk.values.length, maxConcurrency || inlineConcurrency)
  await Promise.allSettled(Array.from({ length: workers }, () => iterations.work()))
  return iterations.end()
}

/** A class, because the code of functions that are made for each Map would have to be optimised for each. */
export class Iterations {
  readonly #map: InlineMap
  readonly #thread: Thread
  readonly #input: Json
  readonly #chunk: ItemChunk
  readonly #startedId: number
  /** Whether anybody hears, or has heard, where an event belongs. */
  readonly #isTold: boolean
  readonly #cancellation: CancellationSource
  readonly #results: Json[]
  #next = 0
  #lastSucceededId: number
  #firstFailure: { readonly error: unknown; readonly lastEventId: number } | undefined

  constructor(map: InlineMap, thread: Thread, input: Json, chunk: ItemChunk) {
    this.#map = map
    this.#thread = thread
    this.#input = input
    this.#chunk = chunk
    const { history, recording } = thread.execution
    this.#startedId = thread.lastEventId
    this.#isTold = history.isHeard || recording !== undefined
    this.#cancellation = createCancellation(thread.cancellation)
    this.#results = new Array(chunk.values.length)
    this.#lastSucceededId = this.#startedId
  }

  /** Runs one iteration after the other, for as long as there are any. */
  async work(): Promise<void> {
    const { events } = this.#map
    const { execution } = this.#thread
    // One for each worker: a Set of forty calls, changed at each, costs a tenth of an iteration.
    const cancellation = createCancellation(this.#cancellation)
    let previousEventId = this.#startedId
    while (this.#next < this.#chunk.values.length && !this.#cancellation.cancelled) {
      const index = this.#next
      this.#next += 1
      const iteration = this.#fork(index, previousEventId, cancellation)
      try {
        const selected = this.#begin(iteration)
        const run = new MachineRun(this.#map.processor, iteration)
        let waiting = run.begin(isPromise(selected) ? await selected : selected)
        while (waiting !== undefined) {
          try {
            waiting = run.resume(await waiting)
          } catch (error) {
            throw run.settle(error)
          }
        }
        this.#results[index] = run.output
        previousEventId = iteration.lastEventId
        this.#lastSucceededId = recordAfter(iteration, previousEventId, events.succeeded, index)
      } catch (error) {
        this.#giveUp(iteration, index, error)
        throw error
      }
      if (needsTurn(execution)) await takeTurn(execution)
    }
  }

  end(): readonly Json[] {
    this.#cancellation.detach()
    const thread = this.#thread
    if (this.#firstFailure !== undefined) {
      thread.lastEventId = this.#firstFailure.lastEventId
      throw this.#firstFailure.error
    }
    if (thread.cancellation.cancelled) throw new Interrupted()
    thread.lastEventId = this.#lastSucceededId
    recordAfter(thread, this.#lastSucceededId, 'MapStateSucceeded')
    return this.#results
  }

  #fork(index: number, previousEventId: number, cancellation: Cancellation): Thread {
    const item = itemOf(this.#chunk, index, index)
    const place = this.#isTold ? `${this.#startedId}.${index}` : ''
    return forkThread(this.#thread, cancellation, place, previousEventId, item)
  }

  #begin(iteration: Thread): MaybePromise<Json> {
    const { events, selectItem } = this.#map
    const item = iteration.item as MapItem
    record(iteration, events.started, item.index)
    return selectItem === undefined ? plainItem(item) : selectItem(this.#thread, this.#input, item)
  }

  #giveUp(iteration: Thread, index: number, error: unknown): void {
    const isFirst = this.#firstFailure === undefined && !(error instanceof Interrupted)
    if (isFirst) this.#firstFailure = { error, lastEventId: iteration.lastEventId }
    const { events } = this.#map
    recordAfter(iteration, iteration.lastEventId, isFirst ? events.failed : events.aborted, index)
    this.#cancellation.cancel()
  }
}
