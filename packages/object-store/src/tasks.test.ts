import { describeTask } from '@stepwright/task'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { collect } from './collect.ts'
import { createMemoryObjectStore } from './memory-object-store.ts'
import { toUploadPrefix } from './presign-upload.ts'
import { aggregateMapResults, presignUpload, purgeObjects } from './tasks.ts'

describe('presignUpload', () => {
  const task = presignUpload({ maxBytes: 1000, contentType: 'text/csv', suffix: '.csv' })
  const uuid = (): string => '7d0c2f3e'

  it('gives a place for one object of just that size and type', async () => {
    const store = createMemoryObjectStore({ now: () => 0 })
    const upload = await task.run({ ownerId: 'ann', contentLength: 5 }, { storeOf: () => store, uuid })
    expect(upload).toMatchObject({
      key: 'uploads/ann/7d0c2f3e.csv',
      method: 'PUT',
      headers: { 'content-type': 'text/csv', 'content-length': '5' },
      expiresAt: '1970-01-01T00:15:00.000Z',
    })
    const put = (text: string): Promise<{ status: number }> =>
      store.request(upload.url, { ...upload, body: Buffer.from(text) })
    expect((await put('a,b\n1')).status).toBe(200)
    expect((await put('a,b\n12')).status).toBe(403)
  })

  it('remembers whose upload it is where the key does not tell, and answers as it is told', async () => {
    const store = createMemoryObjectStore()
    const owners = new Map<string, string>()
    const bare = presignUpload({
      maxBytes: 1000,
      contentType: 'text/csv',
      ownerInKey: false,
      suffix: '.csv',
      output: z.object({ s3_key: z.string() }),
      report: ({ key }) => ({ s3_key: key }),
    })
    const remember = async (key: string, ownerId: string) => void owners.set(key, ownerId)
    const input = { ownerId: 'ann', contentLength: 5 }
    const s3_key = 'uploads/7d0c2f3e.csv'
    expect(await bare.run(input, { storeOf: () => store, uuid, remember })).toEqual({ s3_key })
    expect([...owners]).toEqual([[s3_key, 'ann']])
    await expect(bare.run(input, { storeOf: () => store, uuid })).rejects.toMatchObject({
      name: 'UnexpectedError',
    })
  })

  it('takes the size as a query has it', async () => {
    const store = createMemoryObjectStore()
    const upload = await task.run({ ownerId: 'ann', contentLength: '1000' }, { storeOf: () => store })
    expect(upload.headers).toMatchObject({ 'content-length': '1000' })
  })

  it.each([0, 1001, 1.5, -1, '', 'many', undefined])('refuses the size %s', async contentLength => {
    const ports = { storeOf: () => createMemoryObjectStore() }
    const input = { ownerId: 'ann', contentLength: contentLength as number }
    await expect(task.run(input, ports)).rejects.toMatchObject({
      name: 'DataValidationError',
      message: expect.stringContaining('must be a whole number from 1 to 1000'),
    })
  })

  it("keeps every owner's keys apart", () => {
    expect(toUploadPrefix('ann')).toBe('uploads/ann/')
    expect(toUploadPrefix('ann/bob')).toBe('uploads/ann%2Fbob/')
    expect(toUploadPrefix('..', 'in/')).toBe('in/%2E%2E/')
    const odd = ['a\ud800', 'a\udc00', 'a\ufffd', 'a%uD800', 'a\ud83d\ude00'].map(ownerId =>
      toUploadPrefix(ownerId),
    )
    expect(new Set(odd).size).toBe(odd.length)
    expect(odd[0]).toBe('uploads/a%uD800/')
  })

  it('refuses a limit that S3 does not have', () => {
    const limits = { contentType: 'text/csv' }
    for (const maxBytes of [0, 5 * 1024 ** 3 + 1, Number.NaN]) {
      expect(() => presignUpload({ ...limits, maxBytes })).toThrow(
        'maxBytes must be a whole number from 1 to',
      )
    }
    expect(() => presignUpload({ ...limits, maxBytes: 1, expiresInSeconds: 604_801 })).toThrow(TypeError)
  })
})

describe('purgeObjects', () => {
  const day = 86_400_000

  async function setUp(count: number) {
    let now = 0
    const store = createMemoryObjectStore({ now: () => now })
    for (let n = 0; n < count; n += 1) await store.put(`uploads/${String(n).padStart(5, '0')}`, 'old')
    await store.put('other/old', 'old')
    now = 10 * day
    await store.put('uploads/00003', 'new')
    const left = async (): Promise<string[]> => (await collect(store.list())).map(({ key }) => key)
    return { left, ports: { storeOf: () => store }, context: { now: () => now } }
  }

  it('deletes what it found before it goes on with the list, so that a later upload stays', async () => {
    const store = createMemoryObjectStore({ now: () => 0 })
    async function* list() {
      for (let n = 0; n < 2000; n += 1) {
        const key = `uploads/${String(n).padStart(5, '0')}`
        if (n === 1500) await store.put('uploads/00000', 'uploaded again')
        yield { key, size: 1, etag: '"e"', lastModified: new Date(n === 0 ? 0 : 10 * day) }
      }
    }
    await store.put('uploads/00000', 'old')
    const ports = { storeOf: () => ({ ...store, list }) }
    const input = { prefix: 'uploads/', retentionDays: 7 }
    const purged = await purgeObjects.run(input, ports, { now: () => 10 * day })
    expect(purged).toEqual({ deleted: 1, done: true })
    expect((await store.head('uploads/00000')).size).toBe(14)
  })

  it('deletes what is old below the prefix, and nothing else', async () => {
    const { left, ports, context } = await setUp(2500)
    const input = { prefix: 'uploads/', retentionDays: 10 }
    expect(await purgeObjects.run(input, ports, context)).toEqual({ deleted: 2499, done: true })
    expect(await left()).toEqual(['other/old', 'uploads/00003'])
  })

  it('goes on where it stopped, for want of time or because it has seen enough', async () => {
    const { left, ports, context } = await setUp(2500)
    const input = { prefix: 'uploads/', retentionDays: 10 }
    const late = { ...context, remainingMs: () => 1 }
    const first = await purgeObjects.run(input, ports, late)
    expect(first).toEqual({ deleted: 999, done: false, startAfter: 'uploads/00999' })
    const { startAfter } = first
    const second = await purgeObjects.run({ ...input, startAfter, maxObjects: 600 }, ports, context)
    expect(second).toEqual({ deleted: 600, done: false, startAfter: 'uploads/01599' })
    const last = await purgeObjects.run({ ...input, startAfter: second.startAfter }, ports, context)
    expect(last).toEqual({ deleted: 900, done: true })
    expect(await left()).toEqual(['other/old', 'uploads/00003'])
  })

  it('never takes a whole bucket', async () => {
    const { ports, context } = await setUp(1)
    await expect(purgeObjects.run({ prefix: '', retentionDays: 10 }, ports, context)).rejects.toMatchObject({
      name: 'DataValidationError',
    })
  })
})

describe('aggregateMapResults', () => {
  const mapResults = { MapRunArn: 'arn', ResultWriterDetails: { Bucket: 'out', Key: 'run/manifest.json' } }

  async function setUp(files: Readonly<Record<string, string>>) {
    const store = createMemoryObjectStore()
    const keys = (status: string): { Key: string }[] =>
      Object.keys(files)
        .filter(key => key.startsWith(status))
        .map(key => ({ Key: `run/${key}` }))
    const ResultFiles = { SUCCEEDED: keys('SUCCEEDED'), FAILED: keys('FAILED'), PENDING: keys('PENDING') }
    await store.put('run/manifest.json', JSON.stringify({ DestinationBucket: 'out', ResultFiles }))
    for (const [key, text] of Object.entries(files)) await store.put(`run/${key}`, text)
    return { storeOf: () => store }
  }

  it('counts the children by what became of them', async () => {
    const ports = await setUp({
      'SUCCEEDED_0.jsonl': '{"rows":1}\n{"rows":2}\n',
      'SUCCEEDED_1.jsonl': '{"rows":3}',
      'FAILED_0.jsonl': '{"Input":"{}","Error":"DataValidationError","Cause":"no"}\n{"Input":"{}"}\n',
      'PENDING_0.jsonl': '{"Input":"{}"}\n',
    })
    expect(await aggregateMapResults().run({ mapResults }, ports)).toEqual({
      succeeded: 3,
      failed: 2,
      pending: 1,
      errors: { DataValidationError: 1, Stopped: 1 },
    })
  })

  it('reduces them as it is told', async () => {
    const ports = await setUp({ 'SUCCEEDED_0.jsonl': '{"rows":1}\n{"rows":2}\n' })
    const task = aggregateMapResults({
      initial: () => 0,
      add: (sum, result) =>
        sum + (result.status === 'SUCCEEDED' ? (result.output as { rows: number }).rows : 0),
      finish: rows => ({ rows }),
      output: z.object({ rows: z.int() }),
    })
    expect(await task.run({ mapResults }, ports)).toEqual({ rows: 3 })
  })

  it.each([
    ['no manifest', {}, 'NotFoundError'],
    ['half a line', { 'SUCCEEDED_0.jsonl': '{"rows":' }, 'DataValidationError'],
    ['a record without its fields', { 'FAILED_0.jsonl': '7\n' }, 'DataValidationError'],
  ])('says what is wrong with %s, by name', async (what, files, name) => {
    const ports = await setUp(files)
    if (what === 'no manifest') await ports.storeOf().delete('run/manifest.json')
    await expect(aggregateMapResults().run({ mapResults }, ports)).rejects.toMatchObject({ name })
  })
})

describe('every handler', () => {
  it.each([
    ['presignUpload', presignUpload({ maxBytes: 1, contentType: 'text/csv' })],
    ['purgeObjects', purgeObjects],
    ['aggregateMapResults', aggregateMapResults()],
  ])('%s says what it does and needs', (_, task) => {
    const toJsonSchema = (schema: unknown, io: 'input' | 'output'): Record<string, unknown> =>
      z.toJSONSchema(schema as z.ZodMiniType, { io })
    const contract = describeTask(task, { toJsonSchema })
    expect(contract).toMatchObject({
      description: expect.stringMatching(/\.$/),
      needs: { ports: { storeOf: expect.any(String) } },
    })
    expect(contract.input).toHaveProperty('properties')
    expect(contract.output).toHaveProperty('properties')
  })
})
