import { chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findConfig } from './config.ts'
import { assertOwnConfig } from './config-trust.ts'
import { runMain } from './test/run-main.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stepwright-trust-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function write(file: string, text: string): string {
  const path = join(folder, file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  return path
}

describe('assertOwnConfig', () => {
  const me = process.getuid?.() ?? 0

  it('takes a config of this user, or of root', () => {
    const file = write('stepwright.config.ts', '')
    assertOwnConfig(file)
    assertOwnConfig(file, { uid: me, inContainer: false })
    assertOwnConfig(file, { uid: undefined, inContainer: false })
  })

  // Only root can give a file away.
  it.runIf(me === 0)('rejects one of another user, except for root in a container', () => {
    const file = write('stepwright.config.ts', '')
    chownSync(file, 65534, 65534)
    expect(() => assertOwnConfig(file, { uid: 1000, inContainer: true })).toThrow('--trust-config')
    expect(() => assertOwnConfig(file, { uid: 0, inContainer: false })).toThrow('belongs to another user')
    assertOwnConfig(file, { uid: 0, inContainer: true })
    assertOwnConfig(file, { uid: 65534, inContainer: false })
  })
})

describe('stepwright check', () => {
  const definition = '{"StartAt":"A","States":{"A":{"Type":"Succeed"}}}'

  it('finds configs within the repository only', async () => {
    const outside = write('stepwright.config.ts', 'throw new Error("it ran")')
    write('repository/.git/HEAD', '')
    write('repository/deep/a.asl.json', definition)
    expect(findConfig(join(folder, 'repository/deep'))).toBeUndefined()
    expect((await runMain(join(folder, 'repository/deep'), ['check'])).error).toBe('')
    rmSync(join(folder, 'repository/.git'), { recursive: true })
    expect(findConfig(join(folder, 'repository/deep'))).toBe(outside)
  })

  it('takes --trust-config with any command', async () => {
    write('stepwright.config.mjs', 'export default { workflows: [{ definition: "a.asl.json" }] }')
    write('a.asl.json', definition)
    expect(await runMain(folder, ['check', '--trust-config'])).toMatchObject({ code: 0, error: '' })
  })
})
