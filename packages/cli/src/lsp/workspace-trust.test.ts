import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Message } from './messages.ts'
import { createLanguageServer } from './server.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stepwright lsp trust '))
  mkdirSync(join(folder, 'project/.git'), { recursive: true })
  for (const name of ['a', 'b']) writeFileSync(join(folder, `project/${name}.asl.json`), '{}')
})
afterEach(() => rmSync(folder, { recursive: true }))

function stolen(): string {
  return join(folder, 'stolen')
}

function writeConfig(code: string): void {
  writeFileSync(join(folder, 'project/stepwright.config.mjs'), code)
}

function writeAttack(): void {
  writeConfig(`import { writeFileSync } from 'node:fs'
writeFileSync(${JSON.stringify(stolen())}, '')
export default { workflows: [{ definition: '*.asl.json' }] }`)
}

/** Opens both files; what the server shows to the user. */
async function openFiles(initialize: object, options: { trustConfig?: boolean } = {}) {
  const shown: string[] = []
  let checked = 0
  const { promise, resolve } = Promise.withResolvers<void>()
  const server = createLanguageServer({
    ...options,
    after: (_delayMs, callback) => {
      queueMicrotask(callback)
      return () => {}
    },
    send: ({ method, params }: Message) => {
      if (method === 'window/showMessage') shown.push((params as { message: string }).message)
      if (method === 'textDocument/publishDiagnostics') checked += 1
      if (checked === 2) resolve()
    },
  })
  await server.handle({ id: 1, method: 'initialize', params: initialize })
  for (const name of ['a', 'b']) {
    const uri = pathToFileURL(join(folder, `project/${name}.asl.json`)).href
    await server.handle({ method: 'textDocument/didOpen', params: { textDocument: { uri, text: '{}' } } })
  }
  await promise
  return shown
}

const trusted = { initializationOptions: { trusted: true } }

function rootUri(path: string): string {
  return pathToFileURL(join(folder, path)).href
}

describe('the config of an opened file', () => {
  it.each([
    {},
    { initializationOptions: { trusted: false } },
    { initializationOptions: { trusted: 'yes' } },
    { initializationOptions: null },
  ])('does not run where the editor says %j, and the user is told once', async initialize => {
    writeAttack()
    expect(await openFiles(initialize)).toEqual([expect.stringContaining('the workspace is not trusted')])
    expect(existsSync(stolen())).toBe(false)
  })

  it.each(['else', 'proj', 'project/sub'])('does not run where the trusted workspace is %s', async path => {
    writeAttack()
    expect(await openFiles({ ...trusted, rootUri: rootUri(path) })).toEqual([
      expect.stringContaining('outside the workspace'),
    ])
    expect(existsSync(stolen())).toBe(false)
  })

  it('runs in a trusted workspace', async () => {
    writeAttack()
    const workspaceFolders = [{ uri: rootUri('else') }, { uri: rootUri('project') }]
    expect(await openFiles({ ...trusted, workspaceFolders })).toEqual([])
    expect(existsSync(stolen())).toBe(true)
  })

  it('runs with --trust-config, whatever the editor says', async () => {
    writeAttack()
    expect(await openFiles({}, { trustConfig: true })).toEqual([])
    expect(existsSync(stolen())).toBe(true)
  })

  it('is reported where it cannot be loaded', async () => {
    writeConfig('throw new Error("no such key")')
    expect(await openFiles(trusted)).toEqual([expect.stringContaining('could not be loaded: no such key')])
  })

  it('is not missed where there is none', async () => {
    expect(await openFiles({})).toEqual([])
  })
})
