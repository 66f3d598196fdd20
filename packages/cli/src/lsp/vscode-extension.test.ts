import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createMessageReader, encodeMessage, type Message } from './messages.ts'

const extension = join(import.meta.dirname, '../../editors/vscode')
const manifest = JSON.parse(readFileSync(join(extension, 'package.json'), 'utf8'))

interface ServerOptions {
  readonly command: string
  readonly args: readonly string[]
  readonly options: { readonly cwd: string }
}

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'stepwright vscode '))
  cpSync(extension, folder, { recursive: true })
  const add = (path: string, code: string) => {
    const file = join(folder, 'node_modules', path)
    mkdirSync(join(file, '..'), { recursive: true })
    writeFileSync(file, code)
  }
  // What the editor brings: its settings are those of the test, and its client tells what it was given.
  const command = [process.execPath, join(import.meta.dirname, '../bin.ts'), 'lsp']
  add(
    'vscode/index.js',
    `exports.workspace = {
      isTrusted: true,
      getConfiguration: () => ({ get: () => ${JSON.stringify(command)} }),
      workspaceFolders: [{ uri: { fsPath: ${JSON.stringify(folder)} } }],
    }`,
  )
  add(
    'vscode-languageclient/node.js',
    `exports.LanguageClient = class {
      constructor(id, name, server, client) { Object.assign(globalThis, { startedWith: { server, client } }) }
      async start() {}
      async stop() {}
    }`,
  )
})
afterAll(() => rmSync(folder, { recursive: true }))

it('says all that a package of VS Code has to say', () => {
  expect(manifest).toMatchObject({
    name: expect.stringMatching(/^[a-z0-9-]+$/),
    publisher: expect.any(String),
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    engines: { vscode: expect.stringMatching(/^\^1\./) },
    repository: { url: expect.stringContaining('https://') },
    license: 'Apache-2.0',
    // Its command is of the workspace, as the config is.
    capabilities: { untrustedWorkspaces: { supported: false } },
  })
  for (const file of [manifest.main, 'README.md', 'LICENSE'])
    expect(existsSync(join(extension, file))).toBe(true)
  const required = [...readFileSync(join(extension, manifest.main), 'utf8').matchAll(/require\('([^']+)'\)/g)]
  const packages = required.map(([, name = '']) => name.split('/')[0] ?? '')
  expect(packages.filter(name => name !== 'vscode' && !(name in manifest.dependencies))).toEqual([])
  expect(manifest.contributes.configuration.properties['stepwright.command'].default).toEqual([
    'npx',
    'stepwright',
    'lsp',
  ])
})

it('starts a server that answers the editor', { timeout: 60_000 }, async () => {
  const { activate, deactivate } = createRequire(import.meta.url)(join(folder, manifest.main))
  await activate()
  const { server, client } = Object(globalThis).startedWith as {
    readonly server: ServerOptions
    readonly client: {
      readonly documentSelector: readonly { readonly pattern: string }[]
      readonly initializationOptions: unknown
    }
  }
  expect(client.initializationOptions).toEqual({ trusted: true })
  expect(client.documentSelector[0]?.pattern).toBe('**/*.asl.{json,jsonc,yaml,yml}')
  const started: ChildProcess = spawn(server.command, server.args, {
    cwd: server.options.cwd,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const answered = new Promise<Message>(resolve => {
    started.stdout?.on('data', createMessageReader(resolve))
  })
  started.stdin?.write(encodeMessage({ id: 1, method: 'initialize', params: {} }))
  expect((await answered).result).toMatchObject({
    serverInfo: { name: 'stepwright' },
    capabilities: { completionProvider: { triggerCharacters: ['"', '.', '$', ':'] } },
  })
  started.stdin?.write(encodeMessage({ method: 'exit', params: {} }))
  await once(started, 'exit')
  await deactivate()
})
