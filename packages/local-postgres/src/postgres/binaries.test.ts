import { spawn } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { exitOf, serverAccount } from '@stepwright/local-server'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findBinaries } from './binaries.ts'

const account = await serverAccount()
let home = ''
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'stepwright binaries '))
  await chmod(home, 0o755)
})
afterEach(() => rm(home, { recursive: true, force: true }))

async function version(program: string): Promise<number> {
  return exitOf(spawn(program, ['--version'], { ...account, cwd: '/', stdio: 'ignore' }))
}

describe('findBinaries', () => {
  it('finds binaries that the server can execute', async () => {
    const { postgres, initdb } = await findBinaries(home, account)
    expect([await version(postgres), await version(initdb)]).toEqual([0, 0])
  })

  it.skipIf(account === undefined)('copies them out of a directory that is closed to others', async () => {
    const { postgres } = await findBinaries(home, undefined)
    const hidden = join(home, 'private')
    await mkdir(hidden)
    const copying = spawn('cp', ['-R', join(dirname(postgres), '..'), join(hidden, 'native')])
    expect(await exitOf(copying)).toBe(0)
    await chmod(join(hidden, 'native/bin'), 0o700)
    await chmod(join(hidden, 'native/bin/postgres'), 0o700)
    await chmod(hidden, 0o700)
    expect(await version(join(hidden, 'native/bin/postgres'))).not.toBe(0)

    const scratch = join(home, 'scratch')
    await mkdir(scratch)
    const copied = await findBinaries(scratch, account, join(hidden, 'native'))
    expect(copied.postgres.startsWith(scratch)).toBe(true)
    expect([await version(copied.postgres), await version(copied.initdb)]).toEqual([0, 0])
  })
})
