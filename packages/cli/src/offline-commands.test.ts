import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEngine, createVirtualClock } from '@stepwright/asl-engine'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runMain } from './test/run-main.ts'

const functionArn = 'arn:aws:lambda:us-east-1:123456789012:function:price'
function machine(limit: number) {
  return {
    StartAt: 'Price',
    States: {
      Price: {
        Type: 'Task',
        Resource: functionArn,
        ResultPath: '$.price',
        Catch: [{ ErrorEquals: ['OutOfStock'], ResultPath: '$.error', Next: 'Refuse' }],
        Next: 'IsLarge',
      },
      IsLarge: {
        Type: 'Choice',
        Choices: [{ Variable: '$.price', NumericGreaterThan: limit, Next: 'Ask' }],
        Default: 'Ship',
      },
      Ask: { Type: 'Pass', End: true },
      Ship: { Type: 'Pass', End: true },
      Refuse: { Type: 'Fail', Error: 'Refused' },
    },
  } as const
}

let folder = ''
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'stepwright offline '))
  const write = (file: string, content: unknown) =>
    writeFileSync(join(folder, file), JSON.stringify(content, null, 2))
  write('order.asl.json', machine(100))
  write('changed.asl.json', machine(10))
  write('input.json', { note: 'for Ann' })
  write('price.json', 50)
  const engine = createEngine({ definition: machine(100), clock: createVirtualClock(), invoke: () => 50 })
  const execution = engine.run({ note: 'for Ann' })
  await execution.result
  write('history.json', { events: execution.history() })
})
afterAll(() => rmSync(folder, { recursive: true }))

function run(...args: string[]) {
  return runMain(folder, args)
}

describe('stepwright replay', () => {
  it('says that an execution goes as it went', async () => {
    const { code, out } = await run('replay', 'history.json', 'order.asl.json')
    expect(code).toBe(0)
    expect(out).toContain('now       Price → IsLarge → Ship')
    expect(out).toContain('It goes the same way, and ends SUCCEEDED.')
  })

  it('says where it parts from a changed definition, and writes a test of it', async () => {
    const { code, out } = await run(
      'replay',
      'history.json',
      'changed.asl.json',
      '--test',
      'x.test.ts',
      '--redact',
    )
    expect(code).toBe(1)
    expect(out).toContain('After IsLarge (state 2) it went to Ship, and now goes to Ask.')
    const text = readFileSync(join(folder, 'x.test.ts'), 'utf8')
    expect(text).toContain('new URL("./changed.asl.json", import.meta.url)')
    expect(text).toContain('"note": "xxx xxx"')
  })

  it.each([
    [['replay', 'history.json'], 'Name a history and a definition.'],
    [['replay', 'price.json', 'order.asl.json'], 'this is not the history of an execution'],
    [['replay', 'nothing.json', 'order.asl.json'], 'The history cannot be read'],
  ])('cannot run %j, and says why', async (args, problem) => {
    const { code, error } = await run(...args)
    expect(code).toBe(2)
    expect(error).toContain(problem)
  })
})

describe('stepwright test-state', () => {
  it('shows what becomes of the data', async () => {
    const { code, out } = await run(
      ...['test-state', 'order.asl.json', 'Price', '--input', 'input.json', '--result', 'price.json'],
    )
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({
      status: 'SUCCEEDED',
      output: { note: 'for Ann', price: 50 },
      nextState: 'IsLarge',
      inspectionData: { result: 50, afterResultPath: { price: 50 } },
    })
  })

  it('shows which catcher takes a failure', async () => {
    const { code, out } = await run('test-state', 'order.asl.json', 'Price', '--error', 'OutOfStock')
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ status: 'CAUGHT_ERROR', nextState: 'Refuse' })
    const failed = await run('test-state', 'order.asl.json', 'Price', '--error', 'Other')
    expect(failed.code).toBe(1)
  })

  it.each([
    [['test-state', 'order.asl.json'], 'Name a definition and a state.'],
    [['test-state', 'order.asl.json', 'Prize'], 'There is no state Prize. Did you mean Price?'],
    [['test-state', 'order.asl.json', 'Price'], 'A Task needs an answer: --result FILE, or --error NAME.'],
    [
      ['test-state', 'order.asl.json', 'Ask', '--level', 'ALL'],
      '--level is one of INFO, DEBUG, TRACE, not "ALL".',
    ],
  ])('cannot run %j, and says why', async (args, problem) => {
    const { code, error } = await run(...args)
    expect(code).toBe(2)
    expect(error).toContain(problem)
  })
})
