import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Writable } from 'node:stream'
import { compileCacheDirectory } from '@stepwright/local-server/compile-cache'
import type {
  Answer,
  Beginning,
  Cancellation,
  FunctionFailure,
  Invocation,
  StreamControl,
  StreamedChunk,
  TaskTrouble,
} from './protocol.ts'

/** A process that runs handlers, as one of Lambda's environments does. */
export interface FunctionEnvironment {
  readonly alive: boolean
  /** How many calls it is at work on. */
  readonly busy: number
  /**
   * The signal reaches a stand-in; a function is never told. What a function streams goes into `stream`; destroying
   * that tells it that its reader has left.
   */
  call(invocation: Omit<Invocation, 'id' | 'streamed'>, how?: CallHooks): Promise<Answer>
  /** SIGKILL: what it was at work on fails with `Runtime.ExitError`. */
  kill(): void
  end(): Promise<void>
}

/** What a caller hears and says during a call. */
export interface CallHooks {
  readonly signal?: AbortSignal | undefined
  readonly stream?: Writable | undefined
  /** Hears when the handler begins: at once, unless its module has to be loaded. */
  readonly onBegun?: (() => void) | undefined
}

interface Waiting {
  readonly module: string
  readonly onBegun: (() => void) | undefined
  readonly resolve: (answer: Answer) => void
  readonly stream: Writable | undefined
}

const script = new URL(
  `./function-process${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`,
  import.meta.url,
)

/**
 * Used from a process's first module on: otherwise every process would load what strips types, which takes time and
 * 17 MB, for the sake of a single file.
 */
const compileCache = compileCacheDirectory()

export interface FunctionEnvironmentOptions {
  /** For Node, e.g. `--import` of a loader. @default none */
  readonly execArgv?: readonly string[]
  /** Hears each line that functions print. @default nobody does */
  readonly onLog?: (line: string) => void
  /** Called with each failure of a task, with all of its messages: for a terminal, not for a log. @default nobody is */
  readonly onTrouble?: (trouble: TaskTrouble) => void
  /**
   * Where each process has a directory for temporary files, which goes with it, as `/tmp` of Lambda does.
   * @default that of the machine
   */
  readonly scratchDirectory?: string
}

export function startFunctionEnvironment(
  variables: Readonly<Record<string, string>>,
  { execArgv = [], onLog, onTrouble, scratchDirectory }: FunctionEnvironmentOptions,
): FunctionEnvironment {
  const temporary = scratchDirectory && mkdtempSync(join(scratchDirectory, 'tmp-'))
  const child = fork(script, {
    env: { NODE_COMPILE_CACHE: compileCache, ...variables, ...(temporary && { TMPDIR: temporary }) },
    execArgv: [...execArgv],
    stdio: ['ignore', onLog ? 'pipe' : 'ignore', onLog ? 'pipe' : 'inherit', 'ipc'],
  })
  for (const input of [child.stdout, child.stderr])
    if (onLog && input) createInterface({ input }).on('line', onLog)
  const waiting = new Map<number, Waiting>()
  const loaded = new Set<string>()
  let nextId = 0

  const tell = (message: StreamControl | Cancellation): void => {
    if (isAlive(child)) child.send(message, () => {})
  }
  child.on('message', (message: Answer | StreamedChunk | Beginning | { readonly trouble: TaskTrouble }) => {
    if ('trouble' in message) return void onTrouble?.(message.trouble)
    const { id } = message
    const call = waiting.get(id)
    if ('begun' in message) {
      if (call) loaded.add(call.module)
      call?.onBegun?.()
      return
    }
    if ('chunk' in message) {
      const stream = call?.stream
      if (!stream || stream.destroyed || stream.write(Buffer.from(message.chunk, 'base64'))) return
      tell({ pause: id })
      stream.once('drain', () => tell({ resume: id }))
      return
    }
    waiting.delete(id)
    call?.resolve(message)
  })
  const failAll = (): void => {
    for (const [id, { resolve }] of waiting) resolve({ id, error: exited(child) })
    waiting.clear()
  }
  child.on('exit', failAll).on('error', failAll)
  // Should that fail, the scratch directory goes as a whole when the cloud stops.
  if (temporary) child.on('exit', () => void rm(temporary, { recursive: true, force: true }).catch(() => {}))

  return {
    get alive() {
      return isAlive(child)
    },
    get busy() {
      return waiting.size
    },
    call(invocation, { signal, stream, onBegun } = {}) {
      const id = nextId
      nextId += 1
      if (!isAlive(child)) return Promise.resolve({ id, error: exited(child) })
      const cancel = (): void => {
        if (waiting.has(id)) tell({ cancel: id })
      }
      const answered = new Promise<Answer>(resolve => {
        const { module } = invocation
        const isCold = !loaded.has(module)
        if (!isCold) onBegun?.()
        waiting.set(id, { resolve, stream, module, onBegun })
        const sent: Invocation = {
          id,
          ...invocation,
          ...(stream && { streamed: true }),
          ...(isCold && { isCold }),
        }
        child.send(sent, error => error && failAll())
      })
      if (signal?.aborted || stream?.destroyed) cancel()
      stream?.once('close', cancel)
      signal?.addEventListener('abort', cancel, { once: true })
      return answered.finally(() => signal?.removeEventListener('abort', cancel))
    },
    kill() {
      child.kill('SIGKILL')
    },
    async end() {
      if (!isAlive(child)) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}

function isAlive({ exitCode, signalCode, connected }: ChildProcess): boolean {
  return connected && exitCode === null && signalCode === null
}

function exited({ exitCode, signalCode }: ChildProcess): FunctionFailure {
  const how = signalCode === null ? `exit status ${exitCode}` : `signal: ${signalCode}`
  return { errorType: 'Runtime.ExitError', errorMessage: `Runtime exited with error: ${how}`, trace: [] }
}
