import { readdirSync } from 'node:fs'
import { appendFile, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAppendFiles } from '@stepwright/local-server'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { EndedExecution, ExecutionStore, Retention } from './execution-store.ts'
import { createFileExecutionStore } from './file-execution-store.ts'
import { createMemoryExecutionStore } from './memory-execution-store.ts'

const dayMs = 86_400_000
const machineArn = 'arn:aws:states:us-east-1:000000000000:stateMachine:m'

let directory: string
let problems: string[]
let nowMs: number

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'stepwright-store-'))
  problems = []
  nowMs = 100 * dayMs
})

afterEach(() => rm(directory, { recursive: true, force: true }))

function openFiles(retention: Retention = {}): ExecutionStore {
  return createFileExecutionStore({
    directory,
    files: createAppendFiles({ maxOpen: 2 }),
    sync: false,
    now: () => nowMs,
    onProblem: problem => problems.push(problem),
    retention,
  })
}

function arnOf(name: string): string {
  return `arn:aws:states:us-east-1:000000000000:execution:m:${name}`
}

function header(name: string): string {
  return `${JSON.stringify({ arn: arnOf(name), name, stateMachineArn: machineArn, startMs: nowMs, inputText: '{}' })}\n`
}

function record(id: number): string {
  return `${JSON.stringify({ id, previousEventId: id - 1, timestampMs: 0, type: 'PassStateEntered' })}\n`
}

function listed(name: string, stopMs = nowMs): EndedExecution {
  return {
    arn: arnOf(name),
    name,
    stateMachineArn: machineArn,
    status: 'SUCCEEDED',
    startMs: stopMs,
    stopMs,
    redriveCount: 0,
  }
}

describe.each([
  ['createFileExecutionStore', openFiles],
  ['createMemoryExecutionStore', createMemoryExecutionStore],
])('%s', (_name, open) => {
  it('gives back what was appended, while an execution runs and when it has ended', () => {
    const store = open()
    expect(store.has(arnOf('a'))).toBe(false)
    expect(store.read(arnOf('a'))).toBeUndefined()
    store.append(arnOf('a'), header('a') + record(1))
    store.append(arnOf('a'), record(2))
    expect(store.read(arnOf('a'))).toMatchObject({ header: { name: 'a' }, records: [{ id: 1 }, { id: 2 }] })
    expect(store.ended(machineArn)).toEqual([])
    store.end(listed('a'), record(3))
    expect(store.has(arnOf('a'))).toBe(true)
    expect(store.read(arnOf('a'))?.records).toHaveLength(3)
    expect(store.ended(machineArn)).toEqual([listed('a')])
    store.close()
  })

  it('keeps an execution that ended as it began', () => {
    const store = open()
    store.end(listed('a'), header('a') + record(1))
    expect(store.read(arnOf('a'))?.records).toHaveLength(1)
    store.close()
  })

  it('runs again what had ended', () => {
    const store = open()
    store.end(listed('a'), header('a') + record(1))
    store.reopen(listed('a'))
    expect(store.ended(machineArn)).toEqual([])
    store.append(arnOf('a'), record(2))
    store.end({ ...listed('a'), redriveCount: 1 }, record(3))
    expect(store.ended(machineArn)).toEqual([{ ...listed('a'), redriveCount: 1 }])
    expect(store.read(arnOf('a'))?.records).toHaveLength(3)
    store.close()
  })

  it('keeps no more than it is told to', () => {
    const store = open({ executions: 2 })
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      nowMs += 1
      store.end(listed(name), header(name))
    }
    expect(store.ended(machineArn).length).toBeLessThanOrEqual(3)
    expect(store.has(arnOf('a'))).toBe(false)
    expect(store.has(arnOf('e'))).toBe(true)
    store.close()
  })

  it('keeps definitions', () => {
    const store = open()
    store.keepDefinition('d1', '{}')
    store.keepDefinition('d1', '{}')
    expect(store.definition('d1')).toBe('{}')
    expect(store.definition('d2')).toBeUndefined()
    store.close()
  })
})

describe('a directory of executions', () => {
  it('tells after a restart what was running, and only that', () => {
    const before = openFiles()
    before.append(arnOf('a'), header('a') + record(1))
    before.end(listed('b'), header('b'))
    before.close()
    const after = openFiles()
    expect(after.running().map(kept => kept.header.name)).toEqual(['a'])
    after.append(arnOf('a'), record(2))
    after.end(listed('a'), record(3))
    expect(after.read(arnOf('a'))?.records).toHaveLength(3)
    expect(after.ended(machineArn)).toHaveLength(2)
    after.close()
    expect(readdirSync(join(directory, 'running'))).toEqual([])
  })

  it('forgets half a line, and an execution that never got further', async () => {
    const before = openFiles()
    before.append(arnOf('a'), header('a') + record(1))
    before.close()
    const [file = ''] = await readdir(join(directory, 'running'))
    await appendFile(join(directory, 'running', file), '{"id":2,"prev')
    await writeFile(join(directory, 'running', 'half.jsonl'), '{"arn":"x')
    const after = openFiles()
    expect(after.running()).toMatchObject([{ records: [{ id: 1 }] }])
    after.append(arnOf('a'), record(2))
    after.close()
    expect(openFiles().running()).toMatchObject([{ records: [{ id: 1 }, { id: 2 }] }])
    expect(problems).toEqual([])
  })

  it('sets aside what cannot be read, fails its execution and says so', async () => {
    const before = openFiles()
    before.append(arnOf('a'), `${header('a') + record(1)}\u0000\u0000\n${record(3)}`)
    before.append(arnOf('b'), header('b') + record(1))
    before.close()
    await writeFile(join(directory, 'running', 'noise.jsonl'), 'no header\n')
    const after = openFiles()
    expect(after.running().map(kept => kept.header.name)).toEqual(['b'])
    expect(after.read(arnOf('a'))?.records).toMatchObject([
      { type: 'ExecutionFailed', details: { cause: expect.stringMatching(/line 3 is not JSON/) } },
    ])
    expect(after.ended(machineArn)).toMatchObject([{ name: 'a', status: 'FAILED' }])
    expect(problems).toHaveLength(2)
    after.close()
    expect(
      openFiles()
        .running()
        .map(kept => kept.header.name),
    ).toEqual(['b'])
    expect((await readdir(join(directory, 'broken'))).length).toBe(2)
  })

  it('deletes what is older than it has to keep', () => {
    const store = openFiles({ days: 90 })
    store.end(listed('old', nowMs - 89 * dayMs), header('old'))
    nowMs += 2 * dayMs
    for (const name of ['b', 'c', 'd']) store.end(listed(name), header(name))
    expect(store.has(arnOf('old'))).toBe(false)
    expect(store.ended(machineArn).map(({ name }) => name)).toEqual(['b', 'c', 'd'])
    store.close()
  })

  it('keeps few files open, however many executions run', () => {
    const store = openFiles()
    const before = readdirSync('/dev/fd').length
    for (let index = 0; index < 50; index += 1) store.append(arnOf(`x${index}`), header(`x${index}`))
    expect(readdirSync('/dev/fd').length - before).toBeLessThanOrEqual(2)
    store.close()
  })
})
