import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { main } from './main.ts'

interface Line {
  readonly kind: string
  readonly [fact: string]: unknown
}

/** Inside this package, where what the app imports is installed. */
const cache = join(import.meta.dirname, '../.cache')
let folder = ''
const lines: Line[] = []
const { promise: interrupted, resolve: interrupt } = Promise.withResolvers<void>()
let ended: Promise<number>
let addresses: Line

beforeAll(async () => {
  mkdirSync(cache, { recursive: true })
  folder = mkdtempSync(join(cache, 'dev '))
  cpSync(join(import.meta.dirname, '../test/greeter'), folder, { recursive: true })
  ended = main(['dev', '--json', '--no-console', '--config', 'greeter.config.ts'], {
    cwd: folder,
    colour: false,
    out: text =>
      lines.push(
        ...text
          .trim()
          .split('\n')
          .map(line => JSON.parse(line)),
      ),
    error: text => lines.push({ kind: 'error', text }),
    interrupted: () => interrupted,
  })
  addresses = await told({ kind: 'ready' })
}, 60_000)

afterAll(async () => {
  interrupt()
  expect(await ended).toBe(0)
  rmSync(folder, { recursive: true })
}, 60_000)

/** The first line with these facts among those that were not looked at yet. */
async function told(facts: Line): Promise<Line> {
  const matches = (line: Line) => Object.entries(facts).every(([key, value]) => line[key] === value)
  await vi.waitUntil(() => lines.some(matches), { timeout: 20_000 })
  const index = lines.findIndex(matches)
  const [found] = lines.splice(index, 1)
  return found as Line
}

/** As editors do: another file is put in its place. */
function edit(file: string, change: (text: string) => string): void {
  writeFileSync(join(folder, `${file}~`), change(readFileSync(join(folder, file), 'utf8')))
  renameSync(join(folder, `${file}~`), join(folder, file))
}

function greet(): Promise<string> {
  return fetch(`${addresses['gateway']}/greeting`).then(response => response.text())
}

describe('stepwright dev', { timeout: 60_000 }, () => {
  it('says where everything is', () => {
    expect(addresses).toMatchObject({
      environment: { AWS_REGION: 'us-east-1', AWS_DEFAULT_REGION: 'us-east-1' },
      awsCli: [expect.stringMatching(/^aws --endpoint-url http:\/\/127\.0\.0\.1:\d+ stepfunctions /)],
      token: expect.any(String),
    })
  })

  it('tells of requests, of what functions print, and of executions', async () => {
    expect(await greet()).toBe('hello')
    await told({ kind: 'request', method: 'GET', path: '/greeting', status: 200 })
    await told({ kind: 'log', line: 'somebody is here' })
    await told({ kind: 'log', line: 'somebody is here, too' })
    const client = new SFNClient({
      endpoint: (addresses['environment'] as Record<string, string>)['AWS_ENDPOINT_URL_SFN'] ?? '',
      region: 'us-east-1',
      credentials: { accessKeyId: 'x', secretAccessKey: 'x' },
    })
    const { greeting = '' } = addresses['workflows'] as Record<string, string>
    await client.send(new StartExecutionCommand({ stateMachineArn: greeting }))
    client.destroy()
    await told({ kind: 'execution', workflow: 'greeting', status: 'RUNNING' })
    await told({ kind: 'execution', workflow: 'greeting', status: 'SUCCEEDED' })
  })

  it('loads functions and definitions anew, and says what is wrong with them', async () => {
    for (const word of ['goodbye', 'hello again']) {
      edit('handlers.ts', text => text.replace(/body: '.*'/, `body: '${word}'`))
      await told({ kind: 'reload', file: 'handlers.ts' })
      expect(await greet()).toBe(word)
    }
    edit('handlers.ts', text => text.replace('function', 'functio'))
    const broken = await told({ kind: 'problem', name: 'handlers.ts' })
    expect(broken['text']).toMatch(/^was not loaded: SyntaxError: /)
    expect(await greet()).toBe('hello again')

    edit('greeting.asl.json', text => text.replace('"End": true', '"Next": "Gret"'))
    const refused = await told({ kind: 'problem', name: 'greeting.asl.json' })
    expect(refused['text']).toMatch(/^was not loaded: /)
  })

  it('says that a declaration needs a new start', async () => {
    edit('greeter.config.ts', text => text.replace("'GET /greeting'", "'GET /welcome'"))
    const { text } = await told({ kind: 'problem', name: 'greeter.config.ts' })
    expect(text).toBe('declares the app otherwise: end this with Ctrl-C and start it again')
  })
})
