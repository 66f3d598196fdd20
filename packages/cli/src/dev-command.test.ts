import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import {
  DescribeExecutionCommand,
  SendTaskSuccessCommand,
  SFNClient,
  StartExecutionCommand,
} from '@aws-sdk/client-sfn'
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
let client: SFNClient
const run = promisify(execFile)

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
  client = new SFNClient({
    endpoint: (addresses['environment'] as Record<string, string>)['AWS_ENDPOINT_URL_SFN'] ?? '',
    region: 'us-east-1',
    credentials: { accessKeyId: 'x', secretAccessKey: 'x' },
  })
}, 60_000)

afterAll(async () => {
  client?.destroy()
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

async function start(workflow: string): Promise<string> {
  const stateMachineArn = (addresses['workflows'] as Record<string, string>)[workflow]
  const { executionArn = '' } = await client.send(new StartExecutionCommand({ stateMachineArn }))
  return executionArn
}

/** The token that a function has printed after this word. */
async function tokenAfter(word: string): Promise<string> {
  const isToken = ({ kind, line }: Line) => kind === 'log' && String(line).startsWith(`${word} `)
  await vi.waitUntil(() => lines.some(isToken), { timeout: 20_000 })
  return String(lines.find(isToken)?.['line']).slice(word.length + 1)
}

/** What the execution gave, when its task has been answered. */
async function answer(taskToken: string, executionArn: string): Promise<string | undefined> {
  await client.send(new SendTaskSuccessCommand({ taskToken, output: '{}' }))
  await told({ kind: 'execution', workflow: 'patience', status: 'SUCCEEDED' })
  return (await client.send(new DescribeExecutionCommand({ executionArn }))).output
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
    expect(addresses['console']).toBeUndefined() // nobody wants it here
  })

  it('tells of requests, of what functions print, and of executions', async () => {
    expect(await greet()).toBe('hello')
    await told({ kind: 'request', method: 'GET', path: '/greeting', status: 200 })
    await told({ kind: 'log', line: 'somebody is here' })
    await told({ kind: 'log', line: 'somebody is here, too' })
    await start('greeting')
    await told({ kind: 'execution', workflow: 'greeting', status: 'RUNNING' })
    await told({ kind: 'execution', workflow: 'greeting', status: 'SUCCEEDED' })
  })

  it('lets executions go on as they began when their definition and function change', async () => {
    const before = await start('patience')
    const token = await tokenAfter('first')
    edit('patience.asl.json', text => text.replace('as it was', 'as it is'))
    await told({ kind: 'reload', file: 'patience.asl.json' })
    edit('handlers.ts', text => text.replace('first', 'second'))
    await told({ kind: 'reload', file: 'handlers.ts' })
    const after = await start('patience')
    expect(await answer(await tokenAfter('second'), after)).toBe('"as it is"')
    expect(await answer(token, before)).toBe('"as it was"')
  })

  it('runs what stepwright graph draws an execution of', async () => {
    const arn = await start('patience')
    await tokenAfter('second')
    const draw = async (...args: string[]) => {
      const command = [join(import.meta.dirname, 'bin.ts'), 'graph', 'patience.asl.json', ...args]
      const { stdout } = await run(process.execPath, command, {
        cwd: folder,
        env: { ...(addresses['environment'] as Record<string, string>) },
      })
      return stdout
    }
    const picture = await draw('--execution', arn)
    expect(picture).toMatch(/<title>Ask, Task, Lambda [^<]*, running<\/title>/)
    expect(picture).toContain('<title>Say, Pass, not reached</title>')
    expect(await draw('--mermaid', '--execution', arn)).toMatch(/class s\d running\n$/)
    await expect(draw('--execution', `${arn}0`)).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('The execution cannot be read: '),
    })
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
    edit(
      'handlers.ts',
      text => `import { word } from './nowhere.ts'\n${text.replace('functio ', 'function ')}`,
    )
    const unlinked = await told({ kind: 'problem', name: 'handlers.ts' })
    expect(unlinked['text']).toMatch(
      /^was not loaded: Error: Cannot find module '.*nowhere\.ts' imported from .*handlers\.ts$/,
    )
    expect(await greet()).toBe('hello again')
    edit('handlers.ts', text => text.replace(/^import.*\n/, ''))
    await told({ kind: 'reload', file: 'handlers.ts' })

    edit('greeting.asl.json', text => text.replace('"End": true', '"Next": "Gret"'))
    const refused = await told({ kind: 'problem', name: 'greeting.asl.json:1:91' })
    expect(refused['text']).toBe(
      'was not loaded: valid/transition: There is no state "Gret" here. Did you mean "Greet"?',
    )
  })

  it('says that a declaration needs a new start', async () => {
    edit('greeter.config.ts', text => text.replace("'GET /greeting'", "'GET /welcome'"))
    const { text } = await told({ kind: 'problem', name: 'greeter.config.ts' })
    expect(text).toBe('declares the app otherwise: end this with Ctrl-C and start it again')
  })
})
