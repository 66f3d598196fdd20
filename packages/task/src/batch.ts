import type { LambdaContext } from './invocation.ts'

/** What a function with `ReportBatchItemFailures` answers: what must be delivered again. */
export interface BatchResponse {
  readonly batchItemFailures: readonly { readonly itemIdentifier: string }[]
}

export interface BatchOptions {
  /** How many deliveries may be at work at once. Those that must keep their order never are. @default 1 */
  readonly concurrency?: number
}

interface BatchItem {
  readonly id: string
  /** Items of one lane keep their order: after one that failed, the rest of its lane is not tried. */
  readonly lane: string
}

/** @throws TypeError for a concurrency with which nothing would be run, and all be taken for done */
export function assertConcurrency({ concurrency = 1 }: BatchOptions): void {
  if (Number.isSafeInteger(concurrency) && concurrency >= 1) return
  throw new TypeError(`concurrency must be a whole number from 1, and is ${concurrency}`)
}

/**
 * Runs the items of a batch, lane by lane, and as long as there is time.
 * @returns the positions of those that were not settled, in order
 */
export async function runBatch<Item extends BatchItem>(
  items: readonly Item[],
  { concurrency = 1 }: BatchOptions,
  lambda: LambdaContext | undefined,
  settle: (item: Item) => Promise<boolean>,
): Promise<readonly number[]> {
  const hasTime = createTimeKeeper(lambda)
  const lanes = [...Map.groupBy(items.keys(), position => (items[position] as Item).lane).values()]
  const left: number[] = []
  const work = async (): Promise<void> => {
    for (let lane = lanes.shift(); lane !== undefined; lane = lanes.shift()) {
      for (const [index, position] of lane.entries()) {
        if (hasTime() && (await settle(items[position] as Item))) continue
        left.push(...lane.slice(index))
        break
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, lanes.length) }, work))
  return left.toSorted((a, b) => a - b)
}

/** What is begun too late would be cut off; left alone, it is delivered again in time. */
function createTimeKeeper({ getRemainingTimeInMillis }: LambdaContext = {}): () => boolean {
  if (getRemainingTimeInMillis === undefined) return () => true
  const minRemainingMs = Math.min(1_000, getRemainingTimeInMillis() / 10)
  return () => getRemainingTimeInMillis() > minRemainingMs
}

export function toBatchResponse(ids: readonly string[]): BatchResponse {
  return { batchItemFailures: [...new Set(ids)].map(itemIdentifier => ({ itemIdentifier })) }
}
