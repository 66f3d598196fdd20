import { setImmediate as turn } from 'node:timers/promises'
import type { AuditKeys } from '../audit-keys.ts'
import { blockProblem } from '../audit-problem.ts'
import type { AuditStore } from '../audit-store.ts'
import { type PackContent, toPackContents } from './pack-content.ts'
import { type PackLines, toPackLines } from './pack-lines.ts'
import { type PackHead, type PackRecord, toHead, toPackMac } from './pack-record.ts'
import type { PackedEntry } from './packed-entry.ts'

export interface PackWriterOptions {
  readonly store: Pick<AuditStore, 'putPack'>
  readonly keys: AuditKeys
  readonly executionId: string
  /** Unique among all writers of the execution. */
  readonly writer: string
  /** How many entries one block holds at most. */
  readonly blockSize: number
  readonly ttlSeconds: number | undefined
}

export interface PackWriter {
  /** Resolves when the entry is stored. Those that arrive together share a block. */
  append(entry: PackedEntry): Promise<void>
  /** Resolves when all are stored, in a block of their own: the same again are the same block. */
  appendPack(lines: PackLines): Promise<void>
  /** Whether nothing waits to be stored. */
  readonly idle: boolean
}

type Content = Pick<PackContent, 'record' | 'key'> & Partial<Pick<PackContent, 'text'>>

interface Waiting {
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
  readonly entry?: PackedEntry
  /** Of what was appended as one; made by the time the blocks before are stored. */
  readonly contents?: Promise<readonly Content[]>
}

/** One chain of blocks that hold their entries. A block is stored whole, or not at all; then the next one is. */
export function createPackWriter(options: PackWriterOptions): PackWriter {
  const { store, keys, executionId, writer, blockSize, ttlSeconds } = options
  const waiting: Waiting[] = []
  let running = false
  let last: PackHead | undefined
  /** Sent, and perhaps stored: nothing else may take its place in the chain before that is known. */
  let doubtful: { readonly pack: PackRecord; readonly text: Buffer | undefined } | undefined
  /** Of a block that was doubtful and is stored: appended again one by one, they need not be stored again. */
  let settled: ReadonlySet<string> = new Set()

  async function drain(): Promise<void> {
    running = true
    // Let the caller's whole burst arrive first.
    await turn()
    while (waiting.length > 0) await writeGroup(takeGroup())
    running = false
  }

  /** What was appended as one, or entries that were appended one by one. */
  function takeGroup(): Waiting[] {
    const end = waiting.findIndex(({ contents }) => contents !== undefined)
    const singles = end === -1 ? waiting.length : end
    return waiting.splice(0, Math.min(Math.max(singles, 1), blockSize))
  }

  async function writeGroup(group: readonly Waiting[]): Promise<void> {
    try {
      await settle()
      for (const content of await (group[0]?.contents ?? toRest(group))) await add(content)
      for (const one of group) one.resolve()
    } catch (error) {
      for (const one of group) one.reject(error)
    }
  }

  async function settle(): Promise<void> {
    if (doubtful === undefined) return
    await put(doubtful.pack)
    settled = new Set(doubtful.text?.toString().split('\n'))
    doubtful = undefined
  }

  async function toRest(group: readonly Waiting[]): Promise<readonly Content[]> {
    const entries = group.flatMap(({ entry }) => (entry && !settled.has(entry.line) ? entry : []))
    return entries.length === 0 ? [] : toContents(toPackLines(entries))
  }

  async function toContents(lines: PackLines): Promise<readonly PackContent[]> {
    return toPackContents(executionId, lines, await keys.current(), ttlSeconds)
  }

  async function add({ record, text, key }: Content): Promise<void> {
    const unsigned = {
      ...record,
      writer,
      number: last === undefined ? 0 : last.number + 1,
      first: last === undefined ? 0 : last.first + last.count,
      previous: last?.mac ?? '',
    }
    const pack = { ...unsigned, mac: toPackMac(unsigned, key) }
    try {
      await put(pack)
    } catch (error) {
      doubtful = { pack, text }
      throw error
    }
  }

  /** Under its key is either this block or the same entries in another's chain: then they are stored already. */
  async function put(pack: PackRecord): Promise<void> {
    const stored = await store.putPack(pack)
    if (stored.mac !== pack.mac) await refuseForged(stored, keys)
    else last = toHead(pack)
  }

  function enqueue(what: Pick<Waiting, 'entry' | 'contents'>): Promise<void> {
    return new Promise((resolve, reject) => {
      waiting.push({ ...what, resolve, reject })
      if (!running) void drain()
    })
  }

  return {
    get idle() {
      return !running && waiting.length === 0
    },
    append: entry => enqueue({ entry }),
    appendPack(lines) {
      // Its key tells whether it is stored; its text need not wait for that.
      const contents = toContents(lines).then(all => {
        lines.release()
        return all.map(({ record, key }) => ({ record, key }))
      })
      // It is awaited when its turn has come.
      contents.catch(() => {})
      return enqueue({ contents })
    },
  }
}

async function refuseForged(stored: PackHead, keys: AuditKeys): Promise<void> {
  const key = await keys.find(stored.keyId)
  if (key !== undefined && toPackMac(stored, key) === stored.mac) return
  const place = { writer: stored.writer, sequence: stored.first }
  throw blockProblem('changed', place, 'holds a block that is not genuine')
}
