import { setImmediate } from 'node:timers'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { readRows } from '../src/read/read-rows.ts'
import type { ByteSource } from '../src/source/byte-source.ts'
import { splitToManifest } from '../src/split/split.ts'
import { validate } from '../src/validate/validate.ts'

/** A source that always has more, at once: no read waits for anything. */
function endless(line: string, onRead: (bytes: number) => void): ByteSource {
  const block = Buffer.from(line.repeat(Math.ceil(65_536 / line.length)))
  let at = 0
  return {
    facts: async () => ({ size: undefined, etag: undefined }),
    open: async () => ({
      async read(into) {
        const bytes = block.copy(into, 0, at)
        at = at + bytes === block.length ? 0 : at + bytes
        onRead(bytes)
        return bytes
      },
      close: async () => {},
    }),
  }
}

async function readAll(source: ByteSource, signal: AbortSignal): Promise<void> {
  for await (const _ of readRows(source, { signal }));
}

const schema = z.object({ ['1'.repeat(500)]: z.string() })
const works: readonly [string, string, (source: ByteSource, signal: AbortSignal) => Promise<unknown>][] = [
  ['read', '1,2\n', readAll],
  ['read mostly empty lines', `1${'\n'.repeat(99)}`, readAll],
  ['validate', '1,2\n', (source, signal) => validate(source, { signal })],
  ['validate by a schema', `${'1'.repeat(500)}\n`, (source, signal) => validate(source, { signal, schema })],
  [
    'split',
    '1,2\n',
    (source, signal) => splitToManifest(source, { signal, rowsPerChunk: 1e9, maxChunkBytes: 1e15 }),
  ],
  ['skip empty lines', '\n', (source, signal) => splitToManifest(source, { signal })],
]

describe.each(works)('to %s, although nothing ever waits', (_, line, work) => {
  it('lets others have their turn, after a bounded piece of work', async () => {
    const controller = new AbortController()
    let [total, sinceTurn, mostAtOnce] = [0, 0, 0]
    let ended = false
    const turn = () => {
      sinceTurn = 0
      if (!ended) setImmediate(turn)
    }
    setImmediate(turn)
    const source = endless(line, bytes => {
      total += bytes
      sinceTurn += bytes
      mostAtOnce = Math.max(mostAtOnce, sinceTurn)
      if (total > 12 * 1024 * 1024) controller.abort(new Error('enough'))
    })
    await expect(work(source, controller.signal)).rejects.toThrow('enough')
    ended = true
    // 4 MiB of work, what is read ahead of it, and the blocks that were begun.
    expect(mostAtOnce).toBeLessThan(8 * 1024 * 1024)
  })

  it('ends with the block in which the signal came', async () => {
    const controller = new AbortController()
    let after = 0
    const source = endless(line, bytes => {
      if (controller.signal.aborted) after += bytes
      controller.abort(new Error('enough'))
    })
    await expect(work(source, controller.signal)).rejects.toThrow('enough')
    expect(after).toBeLessThan(2 * 1024 * 1024)
  })
})
