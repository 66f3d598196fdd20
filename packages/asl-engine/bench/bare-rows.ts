import { readCsv } from '../src/map/reader/csv.ts'
import { decode } from '../src/map/reader/decompress.ts'
import { countedWork } from '../test/rows.ts'

/** What a Distributed Map does without being one: the same rows, the same function, as many calls at once. */
export async function runBare(
  bytes: AsyncIterable<Uint8Array>,
  concurrency: number,
): Promise<{ readonly worked: number; readonly sum: number }> {
  const tally = { worked: 0, sum: 0 }
  const work = countedWork(tally)
  const lists = readCsv(decode(bytes), { InputType: 'CSV', CSVHeaderLocation: 'FIRST_ROW' })
  let rows: readonly unknown[] = []
  let at = 0
  let isOver = false
  let filling: Promise<void> | undefined
  const fill = async (): Promise<void> => {
    const { value, done } = await lists.next()
    rows = done ? [] : value
    at = 0
    isOver = done === true
    filling = undefined
  }
  const worker = async (): Promise<void> => {
    while (!isOver) {
      if (at < rows.length) {
        at += 1
        await work(rows[at - 1] as { readonly id: string })
      } else {
        filling ??= fill()
        await filling
      }
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  return tally
}
