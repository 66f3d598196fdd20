import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMessageReader, encodeMessage, type Message } from './messages.ts'

const text = `{
  "StartAt": "Reserve",
  "TimeoutSeconds": 900,
  "States": {
    "Reserve": {
      "Type": "Task",
      "Comment": "Takes from the stock",
      "Resource": "arn:aws:lambda:us-east-1:123456789012:function:reserve",
      "TimeoutSeconds": 10,
      "Retry": [{ "ErrorEquals": ["TemporaryError"], "MaxAttempts": 1 }],
      "Catch": [{ "ErrorEquals": ["OutOfStok"], "ResultPath": "$.error", "Next": "Refuse" }],
      "Next": "Branches"
    },
    "Branches": {
      "Type": "Parallel",
      "Branches": [
        { "StartAt": "Refuse", "States": { "Refuse": { "Type": "Pass", "End": true } } }
      ],
      "End": true
    },
    "Refuse": { "Type": "Fail", "Error": "Refused" }
  }
}
`

const config = `
const errors = [
  { name: 'OutOfStock', kind: 'business' },
  { name: 'TemporaryError', kind: 'retryable', retry: { intervalSeconds: 2, maxAttempts: 3, backoffRate: 2 } },
]
export const config = {
  workflows: [{ definition: 'order.asl.json', tasks: { Reserve: { name: 'reserve', errors } } }],
}
export default config
`

let folder = ''
let server: ChildProcess
let uri = ''
const waiting = new Map<number | string, (message: Message) => void>()
const published: { diagnostics: { code: string; message: string; range: unknown }[] }[] = []
let onPublished: (() => void) | undefined
let lastId = 0

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'stepwright lsp '))
  writeFileSync(join(folder, 'order.asl.json'), text)
  writeFileSync(join(folder, 'stepwright.config.ts'), config)
  uri = pathToFileURL(join(folder, 'order.asl.json')).href
  server = spawn(process.execPath, [join(import.meta.dirname, '../bin.ts'), 'lsp', '--stdio'], {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const read = createMessageReader(message => {
    if (message.method === 'textDocument/publishDiagnostics') {
      published.push(message.params as (typeof published)[number])
      onPublished?.()
    } else waiting.get(message.id ?? '')?.(message)
  })
  server.stdout?.on('data', read)
  await ask('initialize', { capabilities: {}, initializationOptions: { trusted: true } })
  await open(text)
})

afterAll(async () => {
  await ask('shutdown', {})
  tell('exit', {})
  const [code] = await once(server, 'exit')
  rmSync(folder, { recursive: true })
  expect(code).toBe(0)
})

function tell(method: string, params: object): void {
  server.stdin?.write(encodeMessage({ method, params }))
}

function ask(method: string, params: object): Promise<Message> {
  lastId += 1
  const id = lastId
  return new Promise(resolve => {
    waiting.set(id, resolve)
    server.stdin?.write(encodeMessage({ id, method, params }))
  })
}

async function findings(send: () => void) {
  const next = new Promise<void>(resolve => {
    onPublished = resolve
  })
  send()
  await next
  return published.at(-1)?.diagnostics ?? []
}

function open(content: string) {
  return findings(() => tell('textDocument/didOpen', { textDocument: { uri, text: content } }))
}

function change(content: string) {
  return findings(() =>
    tell('textDocument/didChange', { textDocument: { uri }, contentChanges: [{ text: content }] }),
  )
}

/** Behind the first occurrence of a text. */
function positionOf(needle: string, content = text) {
  const before = content.slice(0, content.indexOf(needle) + needle.length).split('\n')
  return { line: before.length - 1, character: before.at(-1)?.length ?? 0 }
}

function at(needle: string, content = text) {
  return { textDocument: { uri }, position: positionOf(needle, content) }
}

function apply(content: string, edits: readonly { range: { start: Place; end: Place }; newText: string }[]) {
  const lines = content.split('\n')
  const offset = ({ line, character }: Place) =>
    lines.slice(0, line).reduce((sum, { length }) => sum + length + 1, 0) + character
  return edits
    .toSorted((a, b) => offset(b.range.start) - offset(a.range.start))
    .reduce(
      (all, { range, newText }) => all.slice(0, offset(range.start)) + newText + all.slice(offset(range.end)),
      content,
    )
}

interface Place {
  line: number
  character: number
}

describe('stepwright lsp', { timeout: 60_000 }, () => {
  it('shows what the checker finds, where it is, as one types', async () => {
    const found = await change(text)
    expect(found).toContainEqual(
      expect.objectContaining({
        source: 'stepwright',
        code: 'names/unknown-error',
        message: expect.stringContaining('OutOfStock'),
        range: {
          start: { line: 10, character: text.split('\n')[10]?.indexOf('"OutOfStok"') },
          end: { line: 10, character: (text.split('\n')[10]?.indexOf('"OutOfStok"') ?? 0) + 11 },
        },
      }),
    )
    const typing = await change(text.replace('"Next": "Branches"', '"Next": "'))
    expect(typing.length).toBeGreaterThan(0)
    expect(await change(text)).toEqual(found)
  })

  it('completes the states of the machine that one is in', async () => {
    const { result } = await ask('textDocument/completion', at('"Next": "Refuse'))
    expect((result as { label: string }[]).map(({ label }) => label)).toEqual([
      'Reserve',
      'Branches',
      'Refuse',
    ])
    const inner = await ask('textDocument/completion', at('{ "StartAt": "Refuse'))
    expect((inner.result as { label: string }[]).map(({ label }) => label)).toEqual(['Refuse'])
  })

  it('completes states also while the text is unfinished', async () => {
    const unfinished = text.replace('"Next": "Branches"', '"Next": "')
    await change(unfinished)
    const { result } = await ask('textDocument/completion', at('"Next": "', unfinished))
    expect((result as { label: string }[]).map(({ label }) => label)).toContain('Branches')
    await change(text)
  })

  it('completes the errors that a task declares, and those of Step Functions', async () => {
    const { result } = await ask('textDocument/completion', at('"ErrorEquals": ["OutOf'))
    const labels = (result as { label: string }[]).map(({ label }) => label)
    expect(labels).toEqual(
      expect.arrayContaining(['OutOfStock', 'TemporaryError', 'States.ALL', 'Lambda.ServiceException']),
    )
    expect(new Set(labels).size).toBe(labels.length)
  })

  it('says of an error what its class says, and of a state what it is', async () => {
    const error = await ask('textDocument/hover', at('"ErrorEquals": ["Temporary'))
    expect(error.result).toMatchObject({
      contents: 'A retryable error of reserve: 3 more attempts, the first after 2 s, then × 2.',
    })
    const state = await ask('textDocument/hover', at('"StartAt": "Res'))
    expect(state.result).toMatchObject({
      contents: { kind: 'markdown', value: 'Reserve: Task. Takes from the stock' },
    })
    expect((await ask('textDocument/hover', at('"TimeoutSec'))).result).toBeNull()
  })

  it('finds the state that one leads to, in its own machine', async () => {
    const { result } = await ask('textDocument/definition', at('"Next": "Ref'))
    expect(result).toMatchObject({ uri, range: { start: { line: 20, character: 4 } } })
    const inner = await ask('textDocument/definition', at('{ "StartAt": "Ref'))
    expect(inner.result).toMatchObject({ range: { start: { line: 16 } } })
  })

  it('renames a state wherever it is named, and no other of that name', async () => {
    const { result } = await ask('textDocument/rename', { ...at('"Next": "Ref'), newName: 'Decline' })
    const { changes } = result as { changes: Record<string, Parameters<typeof apply>[1]> }
    const renamed = apply(text, changes[uri] ?? [])
    expect(renamed).toBe(
      text
        .replace('"Next": "Refuse"', '"Next": "Decline"')
        .replace('    "Refuse": { "Type": "Fail"', '    "Decline": { "Type": "Fail"'),
    )
  })

  it.each([
    ['Branches', 'There is a state Branches already.'],
    ['', "A state's name must have 1 to 80 characters."],
  ])('does not rename a state to "%s"', async (newName, message) => {
    const { error } = await ask('textDocument/rename', { ...at('"Next": "Ref'), newName })
    expect(error).toEqual({ code: -32_803, message })
  })

  it('offers what --fix does', async () => {
    const { result } = await ask('textDocument/codeAction', at('"Reserve"'))
    const action = (
      result as { title: string; edit: { changes: Record<string, Parameters<typeof apply>[1]> } }[]
    ).at(-1)
    expect(action?.title).toBe('Write Retry and Catch as the errors of the tasks say')
    const fixed = apply(text, action?.edit.changes[uri] ?? [])
    expect(JSON.parse(fixed).States.Reserve.Retry).toContainEqual(
      expect.objectContaining({ ErrorEquals: ['TemporaryError'], MaxAttempts: 3 }),
    )
  })

  it('offers the name that was meant, where a misspelt one stands', async () => {
    const position = positionOf('"ErrorEquals": ["OutOf')
    const range = { start: position, end: position }
    const { result } = await ask('textDocument/codeAction', { textDocument: { uri }, range })
    const [action] = result as {
      title: string
      edit: { changes: Record<string, Parameters<typeof apply>[1]> }
    }[]
    expect(action?.title).toBe('Write "OutOfStock"')
    expect(apply(text, action?.edit.changes[uri] ?? [])).toBe(text.replace('OutOfStok', 'OutOfStock'))
    const start = { line: 0, character: 0 }
    const elsewhere = await ask('textDocument/codeAction', {
      textDocument: { uri },
      range: { start, end: start },
    })
    expect(JSON.stringify(elsewhere.result)).not.toContain('Write \\"OutOfStock')
  })

  it('reads YAML as well: paths are completed, states renamed', async () => {
    const yaml = `StartAt: Make
States:
  Make: { Type: Pass, Result: { count: 1 }, Next: 'Use it' }
  Use it:
    Type: Pass
    InputPath: $.
    End: true
`
    const textDocument = { uri: pathToFileURL(join(folder, 'other.asl.yaml')).href }
    await findings(() => tell('textDocument/didOpen', { textDocument: { ...textDocument, text: yaml } }))
    const { result } = await ask('textDocument/completion', {
      textDocument,
      position: positionOf('InputPath: $.', yaml),
    })
    expect(result).toMatchObject([{ label: 'count', detail: 'number' }])
    const renamed = await ask('textDocument/rename', {
      textDocument,
      position: positionOf("Next: 'Use", yaml),
      newName: 'Use: it',
    })
    const { changes } = renamed.result as { changes: Record<string, Parameters<typeof apply>[1]> }
    expect(apply(yaml, changes[textDocument.uri] ?? [])).toBe(
      yaml.replace("'Use it'", '"Use: it"').replace('  Use it:', '  "Use: it":'),
    )
  })

  it('says of what it does not know that it does not', async () => {
    const { error } = await ask('textDocument/foldingRange', at('"Reserve"'))
    expect(error?.code).toBe(-32_601)
  })
})
