import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Account } from './account.ts'
import { exitOf } from './exit-of.ts'

/** A temporary directory could not be created or deleted. */
export class ScratchDirectoryError extends Error {
  override readonly name = 'ScratchDirectoryError'
}

/** A temporary directory that is gone when this process is, even one ended by SIGKILL. */
export interface Scratch {
  readonly path: string
  /** Ends a server whose process id is in `server.pid`, then deletes the directory. */
  remove(): Promise<void>
}

/** The file in a scratch directory that holds the process id of the server living there, while it lives. */
export const pidFile = 'server.pid'

// Creates the directory, so that there is none without its guard, and waits until its standard input ends:
// when we close it, or when the kernel does because we died. Then it ends the server and deletes everything.
// - A server may still be starting and write its pid late, hence the loop until the directory stays away.
// - Where nobody reaps orphans a dead server stays in the process table as a zombie, which is as good as gone.
// - A server that was killed leaves its System V segment behind; line 7 of postmaster.pid has its id. While initdb
//   is at work, in data.new, it must have no time to delete that file: its server never gives the segment back.
// - "kill -s NAME -- -GROUP" is the one form that every sh understands.
// It runs as the account that the directory belongs to, who writes what it reads here: as root it would kill whatever
// process group, and remove whatever segment, that account names.
const guardProgram = `
trap '' HUP INT PIPE QUIT TERM
cd /
mkdir -m 700 "$1" || exit 1
echo ready
while read -r _; do :; done
round=0
while [ -e "$1" ] && [ $round -lt 100 ]; do
  pid=$(cat "$1/${pidFile}" 2>/dev/null)
  if [ -n "$pid" ]; then
    signal=QUIT
    [ -e "$1/data.new" ] && signal=KILL
    kill -s $signal -- "-$pid" 2>/dev/null
    kill -s CONT -- "-$pid" $(cat "/proc/$pid/task/$pid/children" 2>/dev/null) 2>/dev/null
    waited=0
    while kill -s 0 -- "-$pid" 2>/dev/null && [ $waited -lt 240 ]; do
      grep -q '^State:.Z' "/proc/$pid/status" 2>/dev/null && break
      [ $waited -eq 200 ] && kill -s KILL -- "-$pid" 2>/dev/null
      waited=$((waited + 1))
      sleep 0.05
    done
  fi
  for file in "$1"/data*/postmaster.pid; do
    segment=$(sed -n '7s/^ *[0-9]* *\\([0-9]*\\).*/\\1/p' "$file" 2>/dev/null)
    [ -n "$segment" ] && ipcrm -m "$segment" 2>/dev/null
  done
  rm -rf "$1" 2>/dev/null && break
  round=$((round + 1))
  sleep 0.05
done
[ ! -e "$1" ]
`

/** Creates a directory that only `account`, or without one only this process's user, may enter. */
export async function createScratch(name: string, account?: Account): Promise<Scratch> {
  const parents = new Set([tmpdir(), '/tmp', '/var/tmp'])
  for (const parent of parents) {
    const path = join(parent, `stepwright-${name}-${randomBytes(6).toString('hex')}`)
    const scratch = await openScratch(path, account)
    if (scratch !== undefined) return scratch
  }
  const who = account === undefined ? 'this process' : `user id ${account.uid}`
  throw new ScratchDirectoryError(
    `no temporary directory that ${who} can write to among ${[...parents].join(', ')}; set TMPDIR to one`,
  )
}

async function openScratch(path: string, account: Account | undefined): Promise<Scratch | undefined> {
  const guard = spawn('/bin/sh', ['-c', guardProgram, 'stepwright-guard', path], {
    ...account,
    stdio: ['pipe', 'pipe', 'ignore'],
    detached: true,
    cwd: '/',
    env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin' },
  })
  const ended = exitOf(guard)
  guard.stdin.on('error', () => {})
  const ready = await Promise.race([once(guard.stdout, 'data'), ended])
  if (typeof ready === 'number') return undefined
  guard.stdout.destroy()
  unref(guard)

  let removal: Promise<void> | undefined
  async function end(): Promise<void> {
    guard.ref()
    guard.stdin.end()
    if ((await ended) !== 0) throw new ScratchDirectoryError(`${path} could not be deleted`)
  }
  return {
    path,
    remove() {
      removal ??= end()
      return removal
    },
  }
}

function unref(child: ChildProcess): void {
  child.unref()
  const stdin = child.stdin as { unref?: () => void } | null
  stdin?.unref?.()
}

/** Whether an account can write into a directory, through all those above it. */
export async function canEnter(path: string, account: Account): Promise<boolean> {
  const code = await exitOf(
    spawn('/bin/sh', ['-c', 'cd "$0" && : > .probe && rm .probe', path], {
      ...account,
      cwd: '/',
      stdio: 'ignore',
    }),
  )
  return code === 0
}
