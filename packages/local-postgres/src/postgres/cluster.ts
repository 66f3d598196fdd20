import { access, chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Account } from '@stepwright/local-server'
import { canEnter, exitOf } from '@stepwright/local-server'
import { PostgresStartError } from '../errors.ts'
import type { Binaries } from './binaries.ts'
import { launch, logTail } from './launch.ts'
import { createTemplate } from './template.ts'

/** A data directory and the password of its superuser `postgres`. */
export interface Cluster {
  readonly data: string
  readonly password: string
}

/** Opens the cluster below `home`, creating it there if it is missing. */
export async function openCluster(
  home: string,
  scratch: string,
  binaries: Binaries,
  account: Account | undefined,
  newPassword: string,
): Promise<Cluster> {
  const data = join(home, 'data')
  const passwordFile = join(home, 'password')
  if (await exists(join(data, 'PG_VERSION'))) {
    return { data, password: await readPassword(passwordFile) }
  }
  // Renamed when complete: a process killed here leaves no half cluster that looks whole.
  const unfinished = join(home, 'data.new')
  await rm(unfinished, { recursive: true, force: true })
  await mkdir(home, { recursive: true, mode: 0o700 })
  // As root in a directory of another user's, a link there would lead our writing elsewhere.
  await rm(passwordFile, { force: true })
  await writeFile(passwordFile, newPassword, { mode: 0o600, flag: 'wx' })
  if (account !== undefined) {
    await chown(home, account.uid, account.gid)
    await chown(passwordFile, account.uid, account.gid)
    if (!(await canEnter(home, account))) {
      throw new PostgresStartError(
        `PostgreSQL, which for root runs as the user nobody, cannot reach ${home}: a directory above it is closed to others`,
      )
    }
  }
  await createCluster(unfinished, passwordFile, scratch, binaries, account, newPassword)
  await rename(unfinished, data)
  return { data, password: newPassword }
}

const initdbArgs = [
  '--username=postgres',
  '--auth=scram-sha-256',
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--no-instructions',
  '--no-sync',
  // A random password needs no stretching, and every connection would pay for it.
  '--set=scram_iterations=1',
  '--set=dynamic_shared_memory_type=mmap',
]

async function createCluster(
  data: string,
  passwordFile: string,
  scratch: string,
  binaries: Binaries,
  account: Account | undefined,
  password: string,
): Promise<void> {
  const template = createTemplate(binaries.home, initdbArgs)
  if (await template.unpack(data, account)) {
    const args = ['--single', '-D', data, '-c', 'exit_on_error=on', '-c', 'fsync=off', 'postgres']
    const change = `alter role postgres password '${password}'\n`
    if ((await exitOf(launch(scratch, account, binaries.postgres, args, change))) === 0) return
    await rm(data, { recursive: true, force: true })
  }
  const args = [`--pgdata=${data}`, `--pwfile=${passwordFile}`, ...initdbArgs]
  if ((await exitOf(launch(scratch, account, binaries.initdb, args))) !== 0) {
    throw new PostgresStartError(`initdb could not create ${data}: ${await logTail(scratch)}`)
  }
  await template.keep(data)
}

async function readPassword(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    throw new PostgresStartError(
      `${file} cannot be read: a data directory has to be one that startPostgres made, or a new one`,
      { cause },
    )
  }
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
