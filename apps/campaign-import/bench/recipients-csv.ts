import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { cachedFile } from '@stepwright/bench'

/** Recipients in no order of their addresses, with Japanese names, some of them quoted: 200,000 are about 9 MB. */
export function recipientsCsv(rowCount: number): Promise<string> {
  return cachedFile(`campaign-${rowCount / 1000}k-v1.csv`, path =>
    pipeline(Readable.from(blocksOf(rowCount)), createWriteStream(path)),
  )
}

function* blocksOf(rowCount: number): Generator<string> {
  yield 'email,name\n'
  for (let start = 0; start < rowCount; start += 1000) {
    let block = ''
    for (let index = start; index < Math.min(start + 1000, rowCount); index += 1) {
      const mixed = (index * 7_919_777) % 10_000_019
      const name = index % 5 === 0 ? `"山田 ""${index}"", 太郎"` : `鈴木 花子${index}`
      block += `user.${mixed}.${index}@example${mixed % 97}.co.jp,${name}\n`
    }
    yield block
  }
}
