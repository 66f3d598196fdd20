import { runMachine } from '../execution/run-machine.ts'
import { forkThread, type MapItem, record, recordAfter, type Thread } from '../execution/thread.ts'
import { Interrupted } from '../failures/state-failure.ts'
import type { Json } from '../json.ts'
import { isPromise, type MaybePromise } from '../maybe-promise.ts'
import type { CompiledMachine } from '../states/compiled-state.ts'
import { createCancellation } from '../time/cancellation.ts'
import { needsTurn, takeTurn } from '../time/turn.ts'
import { itemOf, type SelectItem } from './items.ts'
import type { ItemChunk } from './reader/item-chunk.ts'

/** AWS runs up to 40 iterations of an inline Map at once. */
const inlineConcurrency = 40

export interface InlineMap {
  readonly name: string
  readonly processor: CompiledMachine
  readonly selectItem: SelectItem
}

/** Iterations inside the execution itself: they share its history. The first failure stops the others. */
export async function runInline(
  map: InlineMap,
  thread: Thread,
  input: Json,
  chunk: ItemChunk,
  maxConcurrency: number,
): Promise<readonly Json[]> {
  const startedId = thread.lastEventId
  const cancellation = createCancellation(thread.cancellation)
  const count = chunk.values.length
  const results: Json[] = new Array(count)
  let next = 0
  let lastSucceededId = startedId
  let firstFailure: { readonly error: unknown; readonly lastEventId: number } | undefined

  const fork = (index: number, previousEventId: number): Thread =>
    forkThread(thread, cancellation, `${startedId}.${index}`, previousEventId, itemOf(chunk, index, index))
  const run = (iteration: Thread, item: MapItem): MaybePromise<Json> => {
    const selected = map.selectItem(thread, input, item)
    return isPromise(selected)
      ? selected.then(value => runMachine(map.processor, iteration, value))
      : runMachine(map.processor, iteration, selected)
  }
  const giveUp = (iteration: Thread, index: number, error: unknown): void => {
    const isFirst = firstFailure === undefined && !(error instanceof Interrupted)
    if (isFirst) firstFailure = { error, lastEventId: iteration.lastEventId }
    const type = isFirst ? 'MapIterationFailed' : 'MapIterationAborted'
    recordAfter(iteration, iteration.lastEventId, type, { name: map.name, index })
    cancellation.cancel()
  }
  const work = async (): Promise<void> => {
    let previousEventId = startedId
    while (next < count && !cancellation.cancelled) {
      const index = next
      next += 1
      const iteration = fork(index, previousEventId)
      try {
        record(iteration, 'MapIterationStarted', { name: map.name, index })
        const running = run(iteration, iteration.item as MapItem)
        results[index] = isPromise(running) ? await running : running
        previousEventId = iteration.lastEventId
        lastSucceededId = recordAfter(iteration, previousEventId, 'MapIterationSucceeded', {
          name: map.name,
          index,
        })
      } catch (error) {
        giveUp(iteration, index, error)
        throw error
      }
      if (needsTurn(thread.execution)) await takeTurn(thread.execution)
    }
  }
  const workers = Math.min(count, maxConcurrency || inlineConcurrency)
  await Promise.allSettled(Array.from({ length: workers }, work))
  cancellation.detach()
  const failed = firstFailure as { readonly error: unknown; readonly lastEventId: number } | undefined
  if (failed !== undefined) {
    thread.lastEventId = failed.lastEventId
    throw failed.error
  }
  if (thread.cancellation.cancelled) throw new Interrupted()
  thread.lastEventId = lastSucceededId
  recordAfter(thread, lastSucceededId, 'MapStateSucceeded')
  return results
}
