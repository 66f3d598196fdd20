import { type ChildProcess, spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Account } from '@stepwright/local-server'
import { pidFile } from '@stepwright/local-server'

const logFile = 'server.log'

// The process id is on disk before the program runs, so the guard of the scratch directory always finds it. All files
// are opened by the program's own user, whose directory it is: we may be root.
const recordPid = `echo $$ > "$0/${pidFile}" && exec "$@" > "$0/${logFile}" 2>&1`

/** Starts a program in the scratch directory, in a process group of its own, out of reach of the terminal's Ctrl-C. */
export function launch(
  scratch: string,
  account: Account | undefined,
  program: string,
  args: readonly string[],
  /** What the program reads. */
  input?: string,
): ChildProcess {
  const child = spawn('/bin/sh', ['-c', recordPid, scratch, program, ...args], {
    ...account,
    cwd: scratch,
    detached: true,
    stdio: [input === undefined ? 'ignore' : 'pipe', 'ignore', 'ignore'],
    env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
  })
  child.stdin?.on('error', () => {}) // it ended before it had read all, and says why in its log
  child.stdin?.end(input)
  // A stale id would point the guard at a stranger.
  child.once('exit', () => rmSync(join(scratch, pidFile), { force: true }))
  return child
}

/** The end of what the program launched last has said. */
export async function logTail(scratch: string): Promise<string> {
  const text = await readFile(join(scratch, logFile), 'utf8').catch(() => '')
  return text.trim().split('\n').slice(-12).join('\n') || 'it said nothing'
}
