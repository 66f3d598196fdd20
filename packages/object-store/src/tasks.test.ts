import { describeTask } from '@stepwright/task'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { createMemoryObjectStore } from './memory-object-store.ts'
import { toUploadPrefix } from './presign-upload.ts'
import { presignUpload } from './tasks.ts'

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

describe('every handler', () => {
  it('says what it does and needs', () => {
    const task = presignUpload({ maxBytes: 1, contentType: 'text/csv' })
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
