import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { createAppendFiles } from './append-files.ts'

/** Messages that were accepted and are delivered later: at least once, also after a kill. */
export interface DeliveryOutbox<T> {
  /**
   * Keeps a message before it returns, and delivers it as soon as the outbox runs. The promise resolves when the
   * message is delivered, or when the outbox stops before that.
   */
  send(message: T): Promise<void>
  /** Delivers what is waiting, also what an earlier process left, and from now on what is sent. */
  run(): void
  /** Begins no delivery any more, and resolves when none is under way. Messages are still kept. */
  pause(): Promise<void>
  /** Pauses for good. What was not delivered is there for the next process. */
  stop(): Promise<void>
}

export interface DeliveryOutboxOptions<T> {
  /** Where messages outlive a kill. @default they do not */
  readonly file?: string | undefined
  /** A message whose delivery rejects stays in the file for the next process. The signal aborts when the outbox pauses. */
  readonly deliver: (message: T, signal: AbortSignal) => Promise<void>
}

interface Entry<T> {
  readonly id: number
  readonly message: T
  readonly settle: () => void
}

type Line = readonly [id: number, message?: unknown]

/** The file is written again without its delivered messages when it has that many of them. */
const maxDeliveredLines = 10_000

export function openOutbox<T>({ file, deliver }: DeliveryOutboxOptions<T>): DeliveryOutbox<T> {
  const files = createAppendFiles()
  const kept = new Map<number, T>(file === undefined ? [] : readKept<T>(file))
  const waiting: Entry<T>[] = [...kept].map(([id, message]) => ({ id, message, settle: () => {} }))
  const working = new Set<Promise<void>>()
  let nextId = Math.max(0, ...kept.keys()) + 1
  let deliveredLines = 0
  let running: AbortController | undefined
  let stopped = false

  const append = (line: Line): void => {
    if (file !== undefined) files.append(file, `${JSON.stringify(line)}\n`)
  }

  function forget(id: number): void {
    kept.delete(id)
    append([id])
    deliveredLines += 1
    if (file === undefined || deliveredLines < Math.max(maxDeliveredLines, kept.size)) return
    files.release(file)
    writeKept(file, kept)
    deliveredLines = 0
  }

  async function work({ id, message, settle }: Entry<T>, signal: AbortSignal): Promise<void> {
    try {
      await deliver(message, signal)
      forget(id)
    } catch {
      // Whoever delivers says what went wrong; here the message only stays.
    } finally {
      settle()
    }
  }

  function begin(entry: Entry<T>, { signal }: AbortController): void {
    const done: Promise<void> = work(entry, signal).finally(() => working.delete(done))
    working.add(done)
  }

  const pause = async (): Promise<void> => {
    running?.abort()
    running = undefined
    while (working.size > 0) await Promise.all(working)
  }

  return {
    send(message) {
      const id = nextId
      nextId += 1
      append([id, message])
      kept.set(id, message)
      const { promise, resolve: settle } = Promise.withResolvers<void>()
      const entry = { id, message, settle }
      if (running) begin(entry, running)
      else if (stopped) settle()
      else waiting.push(entry)
      return promise
    },
    run() {
      if (running || stopped) return
      running = new AbortController()
      for (const entry of waiting.splice(0)) begin(entry, running)
    },
    pause,
    async stop() {
      stopped = true
      await pause()
      for (const { settle } of waiting.splice(0)) settle()
      files.releaseAll()
    },
  }
}

/** What a kill left of the last line was never acknowledged. */
function readKept<T>(file: string): Map<number, T> {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const kept = new Map<number, T>()
  for (const line of readLines(file)) {
    const [id, message] = JSON.parse(line) as Line
    if (message === undefined) kept.delete(id)
    else kept.set(id, message as T)
  }
  writeKept(file, kept)
  return kept
}

function readLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n').slice(0, -1)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** As a whole: a reader sees the old file or the new one. */
function writeKept<T>(file: string, kept: ReadonlyMap<number, T>): void {
  const lines = [...kept].map(line => `${JSON.stringify(line)}\n`)
  writeFileSync(`${file}.new`, lines.join(''), { mode: 0o600 })
  renameSync(`${file}.new`, file)
}
