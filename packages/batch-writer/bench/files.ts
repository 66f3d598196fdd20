import { createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import { cachedFile, randomFrom } from '@stepwright/bench'
import { chunk, type Dataset, rowsOf, type Value } from './data.ts'

/** The rows `from` to `to` in COPY's text format. */
export function tsvFile(dataset: Dataset, from: number, to: number): Promise<string> {
  return cachedFile(`writer-${dataset.table}-${from}-${to}-v1.tsv`, async path => {
    const out = createWriteStream(path)
    for (let start = from; start < to; start += chunk) {
      const lines = rowsOf(dataset, start, Math.min(to, start + chunk)).map(row =>
        dataset.columns.map(name => toText(row[name] as Value)).join('\t'),
      )
      if (!out.write(`${lines.join('\n')}\n`)) await new Promise<void>(resolve => out.once('drain', resolve))
    }
    out.end()
    await finished(out)
  })
}

function toText(value: Value): string {
  return value instanceof Date ? value.toISOString() : String(value)
}

/** The same `count` of rows on every machine, scattered. */
export function scattered(count: number, of: number, seed: number): Set<number> {
  const random = randomFrom(seed)
  const chosen = new Set<number>()
  while (chosen.size < count) chosen.add(Math.floor(random() * of))
  return chosen
}
