import type { AuditStore } from '../audit-store.ts'
import { type ItemRun, parseIndex } from './item-runs.ts'
import { firstItemOf, type PackHead } from './pack-record.ts'

/** Which items have an entry, of any attempt and type; to be asked for in their order. */
export interface PresentItems extends AsyncDisposable {
  /** The first item from this one on that has none. */
  firstMissing(item: number): Promise<number>
  /** Reads on to the end, for whoever looks at what is read. */
  readAll(): Promise<void>
}

/** A stretch of the trail that begins with an item, and what it has. */
interface Stretch {
  readonly from: number
  readonly runs: readonly ItemRun[]
}

/** @param heads in the order of their keys */
export function createPresentItems(heads: AsyncIterable<PackHead>): PresentItems {
  const stretches = ofPacks(heads)
  let coming: Stretch | undefined
  let isOver = false
  /** Of stretches that were read, and that begin after what was asked for; the first one last. */
  let ahead: ItemRun[] = []
  let lastAnswer = 0

  /** Reads all that may have the item. */
  async function readTo(item: number): Promise<void> {
    const runs: ItemRun[] = []
    while (!isOver && (coming === undefined || coming.from <= item)) {
      if (coming) runs.push(...coming.runs)
      const { done, value } = await stretches.next()
      isOver = done === true
      coming = done ? undefined : value
    }
    if (runs.length > 0) ahead = [...ahead, ...runs].sort((a, b) => b.from - a.from)
  }

  return {
    async firstMissing(item) {
      let next = Math.max(item, lastAnswer)
      for (let asked = -1; asked < next; ) {
        asked = next
        await readTo(next)
        for (let run = ahead.at(-1); run && run.from <= next; run = ahead.at(-1)) {
          next = Math.max(next, run.to + 1)
          ahead.pop()
        }
      }
      lastAnswer = next
      return next
    },
    async readAll() {
      while (!(await stretches.next()).done);
    },
    async [Symbol.asyncDispose]() {
      await stretches.return(undefined)
    },
  }
}

/** Of all entries of an execution, from an item on. */
export function readPresentItems(
  store: Pick<AuditStore, 'readPackHeads'>,
  executionId: string,
  fromItem: number,
): PresentItems {
  return createPresentItems(store.readPackHeads({ executionId, fromItem }))
}

async function* ofPacks(heads: AsyncIterable<PackHead>): AsyncGenerator<Stretch> {
  for await (const head of heads) yield { from: firstItemOf(head), runs: parseIndex(head.index) ?? [] }
}
