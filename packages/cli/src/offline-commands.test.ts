import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEngine, createVirtualClock, TaskFailure } from '@stepwright/asl-engine'
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
  write('fixed.asl.json', {
    ...machine(100),
    States: { ...machine(100).States, Refuse: { Type: 'Succeed' } },
  })
  write('input.json', { note: 'for Ann' })
  write('price.json', 50)
  writeFileSync(join(folder, 'order.asl.yaml'), `# in YAML\n${JSON.stringify(machine(100), null, 1)}`)
  const failing = createEngine({
    definition: machine(100),
    clock: createVirtualClock(),
    invoke: () => {
      throw new TaskFailure('OutOfStock', 'none for Ann')
    },
  }).run({ note: 'for Ann' })
  await failing.result
  write('failed.json', { events: failing.history() })
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

  const tests =
    'writes a test that reproduces the failure, one that fails until it is fixed, and overwrites none'
  it(tests, { timeout: 60_000 }, async () => {
    // inside this package, where what it imports is installed
    const cache = join(import.meta.dirname, '../.cache')
    mkdirSync(cache, { recursive: true })
    const place = mkdtempSync(join(cache, 'replay '))
    const test = join(place, 'failed.test.ts')
    const written = await run('replay', 'failed.json', 'order.asl.yaml', '--test', test, '--redact')
    expect(written.out).toContain('ends FAILED: Refused')
    for (const definition of ['order.asl.json', 'fixed.asl.json']) {
      const file = join(place, `${definition}.test.ts`)
      await run('replay', 'failed.json', definition, '--test', file, '--expect', 'succeeded')
    }
    const root = join(import.meta.dirname, '..')
    const cli = join(root, 'node_modules/vitest/vitest.mjs')
    const { NODE_OPTIONS: _, VITEST: __, ...env } = process.env
    const { status, stdout } = spawnSync(process.execPath, [cli, 'run', '--root', place, '--no-color'], {
      cwd: root,
      env,
      encoding: 'utf8',
    })
    expect({ status, stdout }).toEqual({
      status: 1,
      stdout: expect.stringMatching(/× succeeds where it failed(?:.|\n)*Tests +1 failed \| 2 passed/),
    })
    const again = await run('replay', 'failed.json', 'order.asl.yaml', '--test', test)
    expect(again.error).toContain('exists: name another file for the test.')
    rmSync(place, { recursive: true })
  })

  it('takes the definition of the app, and its handlers of today', { timeout: 60_000 }, async () => {
    const app = join(import.meta.dirname, '../test/doubles')
    const doubles = JSON.parse(readFileSync(join(app, 'doubles.asl.json'), 'utf8'))
    const substituted = JSON.parse(JSON.stringify(doubles).replaceAll(/\$\{\w+\}/g, functionArn))
    const record = async (file: string, double: (item: number) => number) => {
      const engine = createEngine({
        definition: substituted,
        clock: createVirtualClock(),
        invoke: (_, payload, { stateName }) =>
          stateName === 'Count' ? [0, 1, 2] : double(payload as number),
      })
      const execution = engine.run({ count: 3 })
      await execution.result
      writeFileSync(join(folder, file), JSON.stringify({ events: execution.history() }))
    }
    await record('otherwise.json', item => item * 3)
    const replay = (file: string, ...more: string[]) =>
      runMain(app, ['replay', join(folder, file), '--config', 'doubles.config.ts', ...more])
    expect((await replay('otherwise.json')).error).toContain('Say which workflow it was: --workflow doubles')
    expect((await replay('otherwise.json', '--workflow', 'doubles')).out).toContain('the same way')
    const { code, out } = await replay('otherwise.json', '--workflow', 'doubles', '--handlers')
    expect({ code, out }).toEqual({ code: 1, out: expect.stringContaining('Its output is another one.') })
  })

  it.each([
    [['replay'], 'Name a history, and a definition'],
    [['replay', 'history.json'], 'There is no stepwright.config.ts here or above.'],
    [['replay', 'price.json', 'order.asl.json'], 'this is not the history of an execution'],
    [['replay', 'nothing.json', 'order.asl.json'], 'The history cannot be read'],
    [['replay', 'history.json', 'order.asl.json', '--expect', 'succeded'], 'Did you mean "succeeded"?'],
    [
      ['replay', 'history.json', 'order.asl.json', '--test', 'none.test.ts', '--expect', 'succeeded'],
      'there is nothing to fix',
    ],
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

  it('finds a state inside a Map, and takes JSON as it is', async () => {
    const definition = join(import.meta.dirname, '../test/doubles/doubles.asl.json')
    const { code, out } = await run(
      'test-state',
      definition,
      'One',
      '--input',
      '{"item":1}',
      '--result',
      '[2]',
    )
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ status: 'SUCCEEDED', output: [2] })
    const broken = await run('test-state', definition, 'One', '--input', '{"item"')
    expect(broken.error).toContain('The input must be JSON')
  })

  it('shows which catcher takes a failure', async () => {
    const { code, out } = await run('test-state', 'order.asl.json', 'Price', '--error', 'OutOfStock')
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ status: 'CAUGHT_ERROR', nextState: 'Refuse' })
    const failed = await run('test-state', 'order.asl.json', 'Price', '--error', 'Other')
    expect(failed.code).toBe(1)
  })

  it('tells the state how often it was retried, and how its answer is to be checked', async () => {
    const file = join(folder, 'configured.asl.json')
    const Retry = [{ ErrorEquals: ['Busy'], MaxAttempts: 2 }]
    const Start = { Type: 'Task', Resource: 'arn:aws:states:::states:startExecution', Retry, End: true }
    writeFileSync(file, JSON.stringify({ StartAt: 'Start', States: { Start } }))
    const statusOf = async (...more: string[]) =>
      JSON.parse((await run('test-state', file, 'Start', ...more)).out).status
    expect(await statusOf('--error', 'Busy', '--retries', '1')).toBe('RETRIABLE')
    expect(await statusOf('--error', 'Busy', '--retries', '2')).toBe('FAILED')
    expect((await run('test-state', file, 'Start', '--result', '{}')).error).toContain(
      "'ExecutionArn' is missing",
    )
    expect(await statusOf('--result', '{}', '--validation', 'NONE')).toBe('SUCCEEDED')
  })

  it('takes the items that a Map reads, and how many of them failed', async () => {
    const file = join(folder, 'reads.asl.json')
    const Each = {
      Type: 'Map',
      ToleratedFailureCount: 1,
      ItemReader: {
        Resource: 'arn:aws:states:::s3:getObject',
        ReaderConfig: { InputType: 'JSON' },
        Parameters: { Bucket: 'b', Key: 'k' },
      },
      ItemProcessor: {
        ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' },
        StartAt: 'One',
        States: { One: { Type: 'Pass', End: true } },
      },
      End: true,
    }
    writeFileSync(file, JSON.stringify({ StartAt: 'Each', States: { Each } }))
    const runMap = (...more: string[]) =>
      run('test-state', file, 'Each', '--result', '[1,2]', '--reader-data', '[5,6]', ...more)
    expect(JSON.parse((await runMap()).out)).toMatchObject({ status: 'SUCCEEDED', output: [1, 2] })
    const failed = await runMap('--failed-items', '2', '--caused-by', 'One')
    expect([failed.code, JSON.parse(failed.out).error]).toEqual([1, 'States.ExceedToleratedFailureThreshold'])
  })

  it.each([
    [
      ['test-state', 'order.asl.json', 'Price', '--error', 'E', '--retries', 'two'],
      '--retries is a whole number, not "two".',
    ],
    [
      ['test-state', 'order.asl.json', 'Price', '--result', '[1]', '--validation', 'ALL'],
      '--validation is one of STRICT, PRESENT, NONE, not "ALL".',
    ],
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
