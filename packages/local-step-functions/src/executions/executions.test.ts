import { writeSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StateMachine } from '@stepwright/asl'
import { createEngine, type EngineOptions } from '@stepwright/asl-engine'
import { createAppendFiles } from '@stepwright/local-server'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Machine } from '../machines/machines.ts'
import type { ExecutionStore } from '../storage/execution-store.ts'
import { createFileExecutionStore } from '../storage/file-execution-store.ts'
import { createMemoryExecutionStore } from '../storage/memory-execution-store.ts'
import { createExecutions, type ExecutionsOptions } from './executions.ts'

const arnPrefix = 'arn:aws:states:us-east-1:000000000000'
const machine: Machine = {
  arn: `${arnPrefix}:stateMachine:m`,
  name: 'm',
  definitionText: '{}',
  definitionId: 'd',
  roleArn: 'r',
  type: 'STANDARD',
  createdMs: 0,
  revisionId: '1',
  loggingConfiguration: {},
  tracingConfiguration: {},
  tags: {},
}
const pass: StateMachine = { StartAt: 'P', States: { P: { Type: 'Pass', End: true } } }
const task: StateMachine = {
  StartAt: 'T',
  States: { T: { Type: 'Task', Resource: 'arn:aws:lambda:us-east-1:000000000000:function:f', End: true } },
}

let directory: string
let problems: string[]
let isFull: boolean

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'stepwright-executions-'))
  problems = []
  isFull = false
})

afterEach(() => rm(directory, { recursive: true, force: true }))

function fileStore(): ExecutionStore {
  return createFileExecutionStore({
    directory,
    files: createAppendFiles({
      write: (file, bytes) => {
        if (isFull) throw new Error('ENOSPC: no space left on device, write')
        return writeSync(file, bytes)
      },
    }),
    sync: false,
    now: Date.now,
    onProblem: problem => problems.push(problem),
  })
}

function create(
  definition: StateMachine,
  options: Partial<ExecutionsOptions & Pick<EngineOptions, 'invoke'>> = {},
) {
  const { invoke, ...others } = options
  const executions = createExecutions({
    store: createMemoryExecutionStore(),
    arnPrefix,
    now: Date.now,
    engineFor: () =>
      createEngine({
        definition,
        name: 'm',
        invoke: (arn, payload, context) => {
          executions.flush()
          return invoke?.(arn, payload, context)
        },
      }),
    onStatus: () => undefined,
    onProblem: problem => problems.push(problem),
    ...others,
  })
  return executions
}

describe('createExecutions', () => {
  it('fails an execution whose definition cannot be read, and leaves the rest alone', () => {
    const store = createMemoryExecutionStore()
    const statuses: string[] = []
    const executions = create(pass, {
      store,
      engineFor: () => {
        throw new Error('no such function')
      },
      onStatus: ({ status }) => statuses.push(status),
    })
    executions.run()
    const { arn } = executions.start({ machine }, 'x', '{}')
    expect(statuses).toEqual(['RUNNING', 'FAILED'])
    expect(executions.get(arn)).toMatchObject({
      status: 'FAILED',
      error: 'States.Runtime',
      cause: 'no such function',
    })
  })

  it('runs nothing until it is told to, and then what was started meanwhile', async () => {
    const executions = create(task, { store: fileStore(), invoke: () => 'done' })
    const { arn } = executions.start({ machine }, 'x', '{}')
    const stopped = executions.start({ machine }, 'y', '{}')
    expect(await executions.stop(stopped.arn, { error: 'Enough', cause: 'of it' })).toMatchObject({
      status: 'ABORTED',
    })
    expect(executions.get(arn).status).toBe('RUNNING')
    expect(executions.history(arn)).toEqual([])
    executions.run()
    await executions.ended(arn)
    expect(executions.get(arn)).toMatchObject({ status: 'SUCCEEDED', outputText: '"done"' })
    expect(executions.get(stopped.arn)).toMatchObject({ status: 'ABORTED', error: 'Enough' })
    await executions.suspend()
  })

  it('leaves everything as it is when it is suspended, and goes on from there', async () => {
    const first = create(task, { store: fileStore(), invoke: () => new Promise(() => undefined) })
    first.run()
    const { arn } = first.start({ machine }, 'x', '{}')
    await first.suspend()
    const calls: unknown[] = []
    const second = create(task, {
      store: fileStore(),
      invoke: (_arn, payload) => {
        calls.push(payload)
        return 'done'
      },
    })
    expect(second.get(arn).status).toBe('RUNNING')
    expect(calls).toEqual([])
    second.run()
    await second.ended(arn)
    expect(second.get(arn).status).toBe('SUCCEEDED')
    expect(second.history(arn).map(({ type }) => type)).toEqual([
      'ExecutionStarted',
      'TaskStateEntered',
      'LambdaFunctionScheduled',
      'LambdaFunctionStarted',
      'LambdaFunctionSucceeded',
      'TaskStateExited',
      'ExecutionSucceeded',
    ])
    await second.suspend()
  })

  it('writes every event at once where that is wanted, and otherwise before anyone is told', async () => {
    for (const writeEveryEvent of [false, true]) {
      const store = createMemoryExecutionStore()
      const waiting: StateMachine = { StartAt: 'W', States: { W: { Type: 'Wait', Seconds: 60, End: true } } }
      const executions = create(waiting, { store, writeEveryEvent })
      const { arn } = executions.start({ machine }, 'x', '{}')
      executions.run()
      expect(store.read(arn)?.records.length).toBe(writeEveryEvent ? 2 : 0)
      expect(executions.history(arn)).toHaveLength(2)
      await executions.suspend()
    }
  })

  it('outlives a listener that throws', () => {
    const executions = create(pass, {
      onStatus: () => {
        throw new Error('deaf')
      },
    })
    executions.run()
    const { arn } = executions.start({ machine }, 'x', '{}')
    expect(executions.get(arn).status).toBe('SUCCEEDED')
    expect(problems).toEqual([expect.stringContaining('deaf'), expect.stringContaining('deaf')])
  })

  it('starts nothing on a full disk, and calls nobody', () => {
    const calls: unknown[] = []
    const executions = create(task, { store: fileStore(), invoke: () => calls.push('called') })
    executions.run()
    isFull = true
    expect(() => executions.start({ machine }, 'x', '{}')).toThrow('ENOSPC')
    expect(calls).toEqual([])
    isFull = false
    const { arn } = executions.start({ machine }, 'x', '{}')
    expect(executions.get(arn).status).toBe('SUCCEEDED')
  })

  it('fails an execution whose events a full disk cannot take, and keeps that when there is room', async () => {
    let release: (() => void) | undefined
    const executions = create(task, {
      store: fileStore(),
      invoke: () =>
        new Promise(resolve => {
          release = () => resolve('late')
        }),
    })
    executions.run()
    const { arn } = executions.start({ machine }, 'x', '{}')
    isFull = true
    release?.()
    await executions.ended(arn)
    expect(executions.get(arn)).toMatchObject({
      status: 'FAILED',
      error: 'States.Runtime',
      cause: expect.stringContaining('ENOSPC'),
    })
    isFull = false
    executions.flush()
    await executions.suspend()
    const after = create(task, { store: fileStore() })
    expect(after.get(arn)).toMatchObject({ status: 'FAILED', cause: expect.stringContaining('ENOSPC') })
  })

  it('fails an execution whose data cannot be written', async () => {
    let deep: unknown = 'bottom'
    for (let level = 0; level < 6000; level += 1) deep = [deep]
    const executions = create(task, { store: fileStore(), invoke: async () => deep })
    executions.run()
    const { arn } = executions.start({ machine }, 'x', '{}')
    await executions.ended(arn)
    expect(executions.get(arn).status).toBe('FAILED')
    const other = executions.start({ machine }, 'y', '{}')
    expect(other.status).toBe('RUNNING')
    await executions.suspend()
  })
})
