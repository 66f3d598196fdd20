import { expect, it } from 'vitest'
import { readRows } from '../src/read/read-rows.ts'
import type { ByteSource } from '../src/source/byte-source.ts'
import { splitToManifest } from '../src/split/split.ts'
import { validate } from '../src/validate/validate.ts'

/** A source that always has more, at once: no read waits for anything. */
function endless(line: string): ByteSource {
  const block = Buffer.from(line.repeat(Math.ceil(65_536 / line.length)))
  let at = 0
  return {
    facts: async () => ({ size: undefined, etag: undefined }),
    open: async () => ({
      async read(into) {
        const bytes = block.copy(into, 0, at)
        at = at + bytes === block.length ? 0 : at + bytes
        return bytes
      },
      close: async () => {},
    }),
  }
}

async function readAll(line: string, signal: AbortSignal): Promise<number> {
  let rows = 0
  for await (const batch of readRows(endless(line), { signal })) rows += batch.rows.length
  return rows
}

it.each<[string, (signal: AbortSignal) => Promise<unknown>]>([
  ['read', signal => readAll('1,2\n', signal)],
  ['read mostly empty lines', signal => readAll(`1${'\n'.repeat(99)}`, signal)],
  ['validate', signal => validate(endless('1,2\n'), { signal })],
  ['split', signal => splitToManifest(endless('1,2\n'), { signal, rowsPerChunk: 1e9, maxChunkBytes: 1e15 })],
  ['split empty lines', signal => splitToManifest(endless('\n'), { signal })],
])('sees a signal although nothing ever waits: %s', async (_, work) => {
  const started = performance.now()
  await expect(work(AbortSignal.timeout(30))).rejects.toMatchObject({ name: 'TimeoutError' })
  expect(performance.now() - started).toBeLessThan(2000)
})
