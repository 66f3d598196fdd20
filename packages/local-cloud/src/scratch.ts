import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ScratchDirectoryError } from './errors.ts'
import { exitOf } from './exit-of.ts'
import type { Account } from './postgres/account.ts'

/** A temporary directory that is gone when this process is, even one ended by SIGKILL. */
export interface Scratch {
  readonly path: string
  /** Ends a server whose process id is in `server.pid`, then deletes the directory. */
  remove(): Promise<void>
}

/** The file in a scratch directory that holds the process id of the server living there, while it lives. */
export const PID_FILE = 'server.pid'

// Runs until its standard input ends: when we close it, or when the kernel does because we died.
// Where nobody reaps orphans a dead server stays in the process table as a zombie, which is as good as gone.
// A server may still be starting and write its pid late, hence the loop until the directory stays away.
// A postmaster that was killed leaves its System V segment behind; its id is on line 7 of postmaster.pid.
const GUARD = `
trap '' HUP INT QUIT TERM
cd /
while read -r _; do :; done
round=0
while [ -e "$1" ] && [ $round -lt 100 ]; do
  pid=$(cat "$1/${PID_FILE}" 2>/dev/null)
  if [ -n "$pid" ]; then
    kill -CONT -- "-$pid" 2>/dev/null
    kill -QUIT -- "-$pid" 2>/dev/null
    waited=0
    while kill -0 -- "-$pid" 2>/dev/null && [ $waited -lt 240 ]; do
      grep -q '^State:.Z' "/proc/$pid/status" 2>/dev/null && break
      [ $waited -eq 200 ] && kill -KILL -- "-$pid" 2>/dev/null
      waited=$((waited + 1))
      sleep 0.05
    done
  fi
  segment=$(sed -n '7s/^ *[0-9]* *\\([0-9]*\\).*/\\1/p' "$1/data/postmaster.pid" 2>/dev/null)
  [ -n "$segment" ] && ipcrm -m "$segment" 2>/dev/null
  rm -rf "$1" 2>/dev/null && break
  round=$((round + 1))
  sleep 0.05
done
[ ! -e "$1" ]
`

/** Creates a directory that only `account`, or without one only this process's user, may enter. */
export async function createScratch(name: string, account?: Account): Promise<Scratch> {
  const path = await makeDirectory(`stepwright-${name}-`, account)
  const guard = spawn('/bin/sh', ['-c', GUARD, 'stepwright-guard', path], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    cwd: '/',
    env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin' },
  })
  try {
    await once(guard, 'spawn')
  } catch (cause) {
    await rm(path, { recursive: true, force: true })
    throw new ScratchDirectoryError(`/bin/sh could not be started to guard ${path}`, { cause })
  }
  guard.stdin.on('error', () => {})
  unref(guard)

  let removal: Promise<void> | undefined
  return {
    path,
    remove() {
      removal ??= remove(guard, path)
      return removal
    },
  }
}

async function remove(guard: ChildProcess, path: string): Promise<void> {
  guard.ref()
  guard.stdin?.end()
  const code = await exitOf(guard)
  if (code !== 0) throw new ScratchDirectoryError(`${path} could not be deleted`)
}

function unref(child: ChildProcess): void {
  child.unref()
  const stdin = child.stdin as { unref?: () => void } | null
  stdin?.unref?.()
}

async function makeDirectory(prefix: string, account: Account | undefined): Promise<string> {
  const tried: string[] = []
  for (const parent of new Set([tmpdir(), '/tmp', '/var/tmp'])) {
    const path = await mkdtemp(join(parent, prefix)).catch(() => undefined)
    tried.push(parent)
    if (path === undefined) continue
    if (account === undefined) return path
    await chown(path, account.uid, account.gid)
    if (await canEnter(path, account)) return path
    await rm(path, { recursive: true, force: true })
  }
  const who = account === undefined ? 'this process' : `user id ${account.uid}`
  throw new ScratchDirectoryError(
    `no temporary directory that ${who} can write to among ${tried.join(', ')}; set TMPDIR to one`,
  )
}

async function canEnter(path: string, account: Account): Promise<boolean> {
  const code = await exitOf(
    spawn('/bin/sh', ['-c', 'cd "$0" && : > .probe && rm .probe', path], {
      ...account,
      cwd: '/',
      stdio: 'ignore',
    }),
  )
  return code === 0
}
