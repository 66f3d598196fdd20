import type { ChildProcess } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Account } from '@stepwright/local-server'
import { exitOf } from '@stepwright/local-server'
import { PostgresStartError } from '../errors.ts'
import { launch, logTail } from './launch.ts'
import { allGone, childrenOf, signal } from './process-tree.ts'

/** One running postmaster. */
export interface Server {
  /** Waits for the clients to leave for `graceMs`, then disconnects them. */
  shutDown(graceMs: number): Promise<void>
  kill(): Promise<void>
  pause(): Promise<void>
  resume(): Promise<void>
}

export interface ServerOptions {
  readonly postgres: string
  readonly scratch: string
  readonly data: string
  readonly account: Account | undefined
  readonly port: number
  readonly settings: Readonly<Record<string, string>>
}

/** Starts a postmaster and resolves when it accepts connections, or to what stands in its way. */
export async function startServer(options: ServerOptions): Promise<Server | 'port taken' | 'in use'> {
  const { scratch, data, account, port } = options
  const settings = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    // Failed statements are the business of the clients, and a log of them would only grow.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    timezone: 'UTC',
    log_timezone: 'UTC',
    ...options.settings,
  }
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const postmaster = launch(scratch, account, options.postgres, ['-D', data, ...args])
  postmaster.unref()
  const ready = await becomesReady(postmaster, join(data, 'postmaster.pid'))
  if (ready) return toServer(postmaster)
  const said = await logTail(scratch)
  if (/could not (bind|create any TCP)/i.test(said)) return 'port taken'
  if (/lock file "postmaster.pid" already exists/i.test(said)) return 'in use'
  throw new PostgresStartError(`PostgreSQL ended while starting in ${data}: ${said}`)
}

// postmaster.pid names the process on its first line and its state on its last, as pg_ctl reads it.
async function becomesReady(postmaster: ChildProcess, file: string): Promise<boolean> {
  while (postmaster.exitCode === null && postmaster.signalCode === null) {
    const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n')
    if (lines[0] === String(postmaster.pid) && lines[7]?.trim() === 'ready') return true
    await wait(10)
  }
  return false
}

function toServer(postmaster: ChildProcess): Server {
  const pid = postmaster.pid as number
  const ended = exitOf(postmaster)
  const hasEnded = (): boolean => postmaster.exitCode !== null || postmaster.signalCode !== null
  let paused: number[] = []

  async function resume(): Promise<void> {
    for (const one of paused) signal(one, 'SIGCONT')
    paused = []
  }
  async function endsWithin(timeoutMs: number): Promise<boolean> {
    const timer = new AbortController()
    await Promise.race([ended, wait(timeoutMs, undefined, { signal: timer.signal })])
    timer.abort()
    return hasEnded()
  }
  return {
    async shutDown(graceMs) {
      postmaster.ref()
      await resume()
      if (hasEnded()) return
      // Disconnecting at once would surface as errors in pools that are about to end.
      signal(pid, 'SIGTERM')
      if (graceMs > 0 && (await endsWithin(graceMs))) return
      signal(pid, 'SIGINT')
      if (await endsWithin(10_000)) return
      signal(pid, 'SIGQUIT')
      await ended
    },
    async kill() {
      if (hasEnded()) return
      postmaster.ref()
      const children = await childrenOf(pid)
      for (const one of [pid, ...children]) signal(one, 'SIGKILL')
      await ended
      // A new postmaster refuses the directory while a process of the old one is attached.
      await allGone(children)
      paused = []
    },
    async pause() {
      if (hasEnded() || paused.length > 0) return
      signal(pid, 'SIGSTOP')
      paused = [...(await childrenOf(pid)), pid]
      for (const one of paused) signal(one, 'SIGSTOP')
    },
    resume,
  }
}
