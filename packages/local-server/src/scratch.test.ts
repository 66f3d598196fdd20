import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chown, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { serverAccount } from './account.ts'
import { createScratch, pidFile } from './scratch.ts'

const account = await serverAccount()

describe('createScratch', () => {
  it('belongs to the account alone, and is gone after it was removed', async () => {
    const { path, remove } = await createScratch('test', account)
    const { mode, uid } = await stat(path)
    expect([mode & 0o777, uid]).toEqual([0o700, account?.uid ?? process.getuid?.()])
    await remove()
    expect(existsSync(path)).toBe(false)
  })

  it('ends the server that it names', async () => {
    const { path, remove } = await createScratch('test', account)
    const server = spawn('sleep', ['60'], { ...account, detached: true, stdio: 'ignore' })
    const ended = once(server, 'exit')
    await writeFile(join(path, pidFile), `${server.pid}\n`)
    await remove()
    expect((await ended)[1]).toBe('SIGQUIT')
  })

  // Only root runs servers as somebody else.
  it.runIf(account)('leaves a process of root alone, whatever the account writes', async () => {
    const { path, remove } = await createScratch('test', account)
    const other = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' })
    await writeFile(join(path, pidFile), `${other.pid}\n`)
    await chown(join(path, pidFile), account?.uid ?? 0, account?.gid ?? 0)
    await remove()
    expect([other.exitCode, other.signalCode]).toEqual([null, null])
    other.kill('SIGKILL')
    await once(other, 'exit')
  })
})
