import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { open, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Account, exitOf } from '@stepwright/local-server'

/** A cluster as initdb leaves it, kept in one file: to unpack it takes a fraction of initdb's time. */
export interface Template {
  /** False where there is none yet, or none that can be used. */
  unpack(directory: string, account: Account | undefined): Promise<boolean>
  /** Keeps a cluster in which no server runs, where that is possible. */
  keep(directory: string): Promise<void>
}

/** Archives of macOS have files of their own otherwise. */
const env = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', COPYFILE_DISABLE: '1' }

/** The template of clusters that are made with these arguments, in a directory that belongs to the binaries. */
export function createTemplate(place: string, initdbArgs: readonly string[]): Template {
  const made = createHash('sha256').update(initdbArgs.join('\0')).digest('hex').slice(0, 16)
  const path = join(place, `stepwright-cluster-${made}.tar`)
  /** Who has made it writes the template; others who come meanwhile need not. */
  const unfinished = `${path}.new`
  return {
    async unpack(directory, account) {
      await using file = await open(path).catch(() => undefined)
      if (file === undefined) return false
      // By the server's own user, whom the files then belong to; the template is opened by ours, who may be root.
      const tar = spawn('/bin/sh', ['-c', 'mkdir -m 700 "$0" && tar -xf - -C "$0"', directory], {
        ...account,
        cwd: '/',
        env,
        stdio: [file.fd, 'ignore', 'ignore'],
      })
      if ((await exitOf(tar)) === 0) return true
      await rm(directory, { recursive: true, force: true })
      return false
    },
    async keep(directory) {
      // What is installed may be read-only: then the next cluster is made by initdb as well.
      await using file = await open(unfinished, 'wx', 0o600).catch(() => undefined)
      if (file === undefined) return forgetAbandoned(unfinished)
      const tar = spawn('tar', ['-cf', '-', '.'], {
        cwd: directory,
        env,
        stdio: ['ignore', file.fd, 'ignore'],
      })
      // Without the sync, a machine that loses power could keep the name and lose the content.
      const isWhole = (await exitOf(tar)) === 0 && (await succeeds(file.sync()))
      await succeeds(isWhole ? rename(unfinished, path) : rm(unfinished, { force: true }))
    },
  }
}

const abandonedAfterMs = 60_000

/** A process that was killed leaves its unfinished file, which would keep all others from theirs. */
async function forgetAbandoned(unfinished: string): Promise<void> {
  const { mtimeMs = Number.POSITIVE_INFINITY } = (await stat(unfinished).catch(() => undefined)) ?? {}
  if (Date.now() - mtimeMs > abandonedAfterMs) await succeeds(rm(unfinished, { force: true }))
}

/** Nobody has to do without a database because no template could be kept. */
function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  )
}
