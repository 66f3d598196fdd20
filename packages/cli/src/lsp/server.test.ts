import { describe, expect, it } from 'vitest'
import type { Message } from './messages.ts'
import { createLanguageServer } from './server.ts'

/** An editor whose clock stands still until it is told to go on. */
function openEditor() {
  const sent: Message[] = []
  const timers = new Set<() => void>()
  const server = createLanguageServer({
    send: message => sent.push(message),
    after: (_delayMs, callback) => {
      timers.add(callback)
      return () => timers.delete(callback)
    },
  })
  let id = 0
  return {
    sent,
    timers,
    tell: (method: string, params: object) => server.handle({ method, params }),
    async ask(method: string, params: object) {
      id += 1
      await server.handle({ id, method, params })
      return sent.find(message => message.id === id)
    },
    /** What is published once nobody types any more. */
    async quiet() {
      const before = sent.length
      for (const callback of [...timers]) {
        timers.delete(callback)
        callback()
      }
      await new Promise(resolve => setImmediate(resolve))
      return sent.slice(before)
    },
  }
}

const uri = 'untitled:order.asl.json'
const textDocument = { uri }
const text = JSON.stringify(
  {
    StartAt: 'Make',
    States: { Make: { Type: 'Pass', Result: { sku: 'mug' }, Next: 'Use' }, Use: { Type: 'Pass', End: true } },
  },
  null,
  2,
)

function positionOf(needle: string, content: string) {
  const before = content.slice(0, content.indexOf(needle) + needle.length).split('\n')
  return { line: before.length - 1, character: before.at(-1)?.length ?? 0 }
}

function diagnosticsIn(messages: readonly Message[]) {
  return messages
    .filter(({ method }) => method === 'textDocument/publishDiagnostics')
    .map(
      ({ params }) =>
        (params as { diagnostics: { code: string; range: { start: { line: number } } }[] }).diagnostics,
    )
}

describe('createLanguageServer', () => {
  it('checks only the last of many changes, and answers before it checks', async () => {
    const { tell, ask, quiet, sent, timers } = openEditor()
    await tell('textDocument/didOpen', { textDocument: { uri, text } })
    for (let change = 0; change < 50; change += 1)
      await tell('textDocument/didChange', {
        textDocument,
        contentChanges: [{ text: `${text}${' '.repeat(change)}` }],
      })
    expect(timers.size).toBe(1)
    const answer = await ask('textDocument/hover', { textDocument, position: positionOf('"Next": "U', text) })
    expect(answer?.result).toMatchObject({
      contents: {
        kind: 'markdown',
        value: 'Use: Pass\n\n```ts\ninput: {\n  readonly sku: "mug"\n}\n```',
      },
    })
    expect(diagnosticsIn(sent)).toEqual([])
    expect(diagnosticsIn(await quiet())).toHaveLength(1)
    expect(diagnosticsIn(await quiet())).toHaveLength(0)
  })

  it('takes the findings back when a document is closed, and checks it no more', async () => {
    const { tell, quiet, sent } = openEditor()
    await tell('textDocument/didOpen', { textDocument: { uri, text: '{}' } })
    expect(diagnosticsIn(await quiet())[0]).not.toEqual([])
    await tell('textDocument/didChange', { textDocument, contentChanges: [{ text: '{ }' }] })
    await tell('textDocument/didClose', { textDocument })
    expect(diagnosticsIn(sent).at(-1)).toEqual([])
    expect(await quiet()).toEqual([])
  })

  it.each(['[', '{"a":', '- '])('survives %s without end', async bomb => {
    const { tell, quiet } = openEditor()
    const other = 'untitled:bomb.asl.yaml'
    await tell('textDocument/didOpen', { textDocument: { uri: other, text: bomb.repeat(30_000) } })
    expect(diagnosticsIn(await quiet())).toMatchObject([[{ code: 'valid/syntax' }]])
  })
})

const template = `Resources:
  Orders:
    Type: AWS::Serverless::StateMachine
    Properties:
      Definition:
        StartAt: Make
        States:
          Make: { Type: Pass, Result: { sku: mug }, Next: Use }
          Use:
            Type: Pass
            InputPath: $.skew
            End: true
  Other:
    Type: AWS::StepFunctions::StateMachine
    Properties:
      DefinitionString: |
        {
          "StartAt": "Wait",
          "States": { "Wait": { "Type": "Wait", "Seconds": 1, "Next": "Gone" } }
        }
`

describe('in a template', () => {
  const document = { uri: 'untitled:template.yaml' }
  async function open() {
    const editor = openEditor()
    await editor.tell('textDocument/didOpen', { textDocument: { ...document, text: template } })
    return editor
  }

  it('finds what is wrong in each of its state machines, where it is', async () => {
    const { quiet } = await open()
    const [found = []] = diagnosticsIn(await quiet())
    expect(found.map(({ code, range }) => [code, range.start.line])).toEqual(
      expect.arrayContaining([
        ['flow/missing-path', 10],
        ['valid/transition', 18],
      ]),
    )
  })

  it('hovers, completes, leads to and renames states of the one that the cursor is in', async () => {
    const { ask } = await open()
    const at = (needle: string) => ({ textDocument: document, position: positionOf(needle, template) })
    const hover = await ask('textDocument/hover', at('Next: U'))
    expect(hover?.result).toMatchObject({
      contents: { value: expect.stringContaining('readonly sku: "mug"') },
    })
    const next = await ask('textDocument/completion', at('"Next": "Go'))
    expect(next?.result).toMatchObject([{ label: 'Wait' }])
    const path = await ask('textDocument/completion', at('InputPath: $.'))
    expect(path?.result).toMatchObject([{ label: 'sku' }])
    const found = await ask('textDocument/definition', at('Next: U'))
    expect(found?.result).toMatchObject({ range: { start: { line: 8, character: 10 } } })
    const renamed = await ask('textDocument/rename', { ...at('"StartAt": "Wa'), newName: 'Rest' })
    expect(renamed?.result).toMatchObject({
      changes: { [document.uri]: [{ newText: '"Rest"' }, { newText: '"Rest"' }] },
    })
    expect((await ask('textDocument/hover', at('Type: AWS::Server')))?.result).toBeNull()
  })
})
