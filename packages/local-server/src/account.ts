import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** The user that PostgreSQL runs as. */
export interface Account {
  readonly uid: number
  readonly gid: number
}

const run = promisify(execFile)

/** PostgreSQL refuses to run as root, so for root it is the existing user `nobody`; for others it is themselves. */
export async function serverAccount(): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined
  return { uid: await idOf('-u'), gid: await idOf('-g') }
}

async function idOf(which: '-u' | '-g'): Promise<number> {
  try {
    const { stdout } = await run('id', [which, 'nobody'])
    return Number(stdout.trim())
  } catch {
    return 65534
  }
}
