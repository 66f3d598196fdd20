import { describe, expect, it } from 'vitest'
import { collect } from './collect.ts'
import { type MapResult, readMapResults } from './map-results.ts'
import { createMemoryObjectStore } from './memory-object-store.ts'

async function read(files: Readonly<Record<string, string | Uint8Array>>): Promise<MapResult[]> {
  const store = createMemoryObjectStore()
  const ResultFiles: Record<string, { Key: string }[]> = { SUCCEEDED: [], FAILED: [], PENDING: [] }
  for (const [Key, body] of Object.entries(files)) {
    await store.put(Key, body)
    ResultFiles[Key.split('_')[0] ?? '']?.push({ Key })
  }
  await store.put('manifest.json', JSON.stringify({ ResultFiles }))
  return collect(readMapResults(store, 'manifest.json'))
}

const record = {
  ExecutionArn: 'arn:child',
  StateMachineArn: 'arn:machine',
  Input: '{"row":1}',
  Output: '{"rows":1}',
  Status: 'SUCCEEDED',
}
const failure = { ...record, Output: undefined, Status: 'FAILED', Error: 'States.Timeout', Cause: 'late' }

describe('readMapResults', () => {
  it('gives the outputs that a transformation left', async () => {
    expect(await read({ 'SUCCEEDED_0.jsonl': '{"rows":1}\n\n[2]\n"日本"' })).toEqual([
      { status: 'SUCCEEDED', output: { rows: 1 } },
      { status: 'SUCCEEDED', output: [2] },
      { status: 'SUCCEEDED', output: '日本' },
    ])
  })

  it('opens the records of executions that were written without one', async () => {
    for (const [name, text] of [
      ['SUCCEEDED_0.json', JSON.stringify([record, record])],
      ['SUCCEEDED_0.jsonl', `${JSON.stringify(record)}\n${JSON.stringify(record)}\n`],
    ] as const) {
      const result = { status: 'SUCCEEDED', input: { row: 1 }, output: { rows: 1 } }
      expect(await read({ [name]: text })).toEqual([result, result])
    }
  })

  it('gives failures with their input, and what never began', async () => {
    const files = {
      'PENDING_0.json': JSON.stringify([{ Input: '[1]' }]),
      'FAILED_0.json': JSON.stringify([failure]),
      'SUCCEEDED_0.json': '[]',
    }
    expect(await read(files)).toEqual([
      { status: 'FAILED', input: { row: 1 }, error: 'States.Timeout', cause: 'late' },
      { status: 'PENDING', input: [1] },
    ])
  })

  it('holds one line at a time', async () => {
    let ahead = 0
    let read = 0
    const store = createMemoryObjectStore()
    const line = Buffer.from(`${JSON.stringify({ text: 'x'.repeat(1000) })}\n`)
    async function* lines(): AsyncGenerator<Uint8Array> {
      for (let n = 0; n < 5000; n += 1) {
        ahead = Math.max(ahead, n - read)
        yield line
      }
    }
    const manifest = { ResultFiles: { SUCCEEDED: [{ Key: 'SUCCEEDED_0.jsonl' }], FAILED: [], PENDING: [] } }
    await store.put('manifest.json', JSON.stringify(manifest))
    const streaming = {
      get: async (key: string) => ({
        ...(await store.get('manifest.json')),
        ...(key !== 'manifest.json' && { body: lines() }),
      }),
    }
    for await (const _ of readMapResults(streaming, 'manifest.json')) read += 1
    expect(read).toBe(5000)
    expect(ahead).toBeLessThanOrEqual(1)
  })

  it.each([
    ['half a line', { 'SUCCEEDED_0.jsonl': '{"rows":1}\n{"ro' }],
    ['an array that is cut off', { 'SUCCEEDED_0.json': '[{"rows":1},{"rows":2}' }],
    ['two arrays', { 'SUCCEEDED_0.json': '[1][2]' }],
    ['an object', { 'SUCCEEDED_0.json': '{"rows":1}' }],
    ['one comma too many', { 'SUCCEEDED_0.json': '[1,]' }],
    ['nothing', { 'SUCCEEDED_0.json': '' }],
    ['an input that is not JSON', { 'FAILED_0.jsonl': '{"Input":"{"}' }],
    ['bytes that are not UTF-8', { 'SUCCEEDED_0.jsonl': Buffer.from([0x22, 0xff, 0x22]) }],
    ['a line without an end', { 'SUCCEEDED_0.jsonl': `"${'x'.repeat(5 * 1024 * 1024)}` }],
  ])('refuses %s by name, with its key and without its content', async (_, files) => {
    const [key = ''] = Object.keys(files)
    await expect(read(files as Record<string, string>)).rejects.toMatchObject({
      name: 'DataValidationError',
      code: 'MAP_RESULT',
      details: { key },
      message: expect.stringMatching(new RegExp(`^${key} does not hold results of a Map[^{"]*$`)),
    })
  })

  it('refuses a manifest that is none', async () => {
    const store = createMemoryObjectStore()
    for (const text of ['', '{}', '{"ResultFiles":{"SUCCEEDED":[1]}}']) {
      await store.put('manifest.json', text)
      await expect(collect(readMapResults(store, 'manifest.json'))).rejects.toMatchObject({
        name: 'DataValidationError',
      })
    }
  })
})
