import { randomUUID } from 'node:crypto'
import { type TestRunner, testRunner } from '@stepwright/task/testing'
import * as z from 'zod/mini'
import { collect } from './collect.ts'
import { readJson, replaceJson, type StoredJson } from './json-object.ts'
import type { ObjectStore, PresignedRequest } from './object-store.ts'
import { readBytes, readText } from './read-body.ts'

/** A store to test, empty or not: every test keeps to keys of its own. */
export interface ObjectStoreHarness {
  readonly store: ObjectStore
  /** Makes a presigned request. @default fetch */
  readonly request?: (presigned: PresignedRequest, body?: Uint8Array) => Promise<PresignedAnswer>
  /** Has the next call carried out and its answer lost, where there is a network between store and caller. */
  readonly loseAnswer?: () => void
  readonly close?: () => Promise<void> | void
}

export interface PresignedAnswer {
  readonly status: number
  readonly body: Uint8Array
}

const wholeNumber = z.int()

/** What every object store must do, as a suite: `testObjectStore('S3', startHarness)`. */
export function testObjectStore(
  name: string,
  start: () => Promise<ObjectStoreHarness>,
  runner: TestRunner = testRunner,
): void {
  const { afterAll, beforeAll, describe, expect } = runner
  const it = (test: string, run: () => unknown) => runner.it(test, run, 60_000)
  describe(`object store: ${name}`, () => {
    let store: ObjectStore
    let harness: ObjectStoreHarness
    const place = `contract-${randomUUID()}`
    let keys = 0
    const newKey = (): string => `${place}/${++keys}`
    const request = (presigned: PresignedRequest, body?: Uint8Array): Promise<PresignedAnswer> =>
      (harness.request ?? overHttp)(presigned, body)

    beforeAll(async () => {
      harness = await start()
      store = harness.store
    }, 60_000)
    afterAll(async () => {
      if (!harness) return
      for await (const { key } of store.list(`${place}/`)) await store.delete(key)
      await harness.close?.()
    }, 60_000)

    it('gives back what was put, with its facts', async () => {
      const key = newKey()
      const bytes = Buffer.from([0, 255, 10, 13, 0x1f, 0x8b])
      const { etag } = await store.put(key, bytes, { contentType: 'text/csv' })
      const object = await store.get(key)
      expect(await readBytes(object)).toEqual(bytes)
      expect(object).toMatchObject({ size: 6, etag, contentType: 'text/csv' })
      expect(await store.head(key)).toMatchObject({ size: 6, etag, contentType: 'text/csv' })
      expect(object.lastModified.getTime()).toBeGreaterThan(0)
      await store.put(key, 'text')
      expect(await readText(await store.get(key))).toBe('text')
    })

    it('replaces an object of JSON only if nobody has changed it since it was read', async () => {
      const key = newKey()
      const read = (): Promise<StoredJson<number> | undefined> => readJson(store, key, wholeNumber)
      expect(await read()).toBe(undefined)
      expect(await replaceJson(store, key, 1, undefined)).toBe(true)
      expect(await replaceJson(store, key, 2, undefined)).toBe(false)
      const first = await read()
      expect(first?.value).toBe(1)
      expect(await replaceJson(store, key, 3, first)).toBe(true)
      expect(await replaceJson(store, key, 4, first)).toBe(false)
      const last = await read()
      expect(last?.value).toBe(3)
      await store.delete(key)
      expect(await replaceJson(store, key, 5, last)).toBe(false)
      expect(await read()).toBe(undefined)
    })

    it('lets one of several that replace an object of JSON at the same time win', async () => {
      const key = newKey()
      await replaceJson(store, key, 0, undefined)
      const before = await readJson(store, key, wholeNumber)
      const tries = [1, 2, 3, 4].map(async value => {
        try {
          return (await replaceJson(store, key, value, before)) ? value : undefined
        } catch (error) {
          // S3 may answer that another conditional write is under way.
          if ((error as Error).name === 'TemporaryError') return undefined
          throw error
        }
      })
      const won = (await Promise.all(tries)).filter(value => value !== undefined)
      expect(won.length).toBe(1)
      expect((await readJson(store, key, wholeNumber))?.value).toBe(won[0])
    })

    it('refuses an object that is not JSON or does not fit its schema, and quotes nothing of it', async () => {
      for (const body of ['secret', '"secret"', '']) {
        const key = newKey()
        await store.put(key, body)
        const failure: Error = await readJson(store, key, wholeNumber).then(
          () => new Error('it was read'),
          error => error,
        )
        expect(failure).toMatchObject({ name: 'DataValidationError', code: 'JSON_OBJECT' })
        expect(failure.message.includes('secret')).toBe(false)
      }
    })

    it('takes keys with any characters', async () => {
      for (const name of ['a b+c%20d', '日本語/ファイル.csv', "it's(1)!*~", 'a=b&c=d?e#f', 'x//y']) {
        const key = `${newKey()}/${name}`
        await store.put(key, name)
        expect(await readText(await store.get(key))).toBe(name)
        expect((await collect(store.list(key))).map(object => object.key)).toEqual([key])
      }
    })

    it('reads ranges: from an offset, of a length, from the end, none at all', async () => {
      const key = newKey()
      const { etag } = await store.put(key, '0123456789')
      const read = async (range: Parameters<ObjectStore['get']>[1]): Promise<string> => {
        const object = await store.get(key, range)
        expect(object).toMatchObject({ size: 10, etag })
        return readText(object)
      }
      expect(await read({ range: { offset: 2, length: 3 } })).toBe('234')
      expect(await read({ range: { offset: 0, length: 1 } })).toBe('0')
      expect(await read({ range: { offset: 7 } })).toBe('789')
      expect(await read({ range: { offset: 8, length: 100 } })).toBe('89')
      expect(await read({ range: { last: 4 } })).toBe('6789')
      expect(await read({ range: { last: 100 } })).toBe('0123456789')
      expect(await read({ range: { offset: 5, length: 0 } })).toBe('')
    })

    it('refuses a range outside the object', async () => {
      const key = newKey()
      await store.put(key, '0123456789')
      const outside = store.get(key, { range: { offset: 10 } })
      await expect(outside).rejects.toMatchObject({ name: 'ValidationError', code: 'RANGE_NOT_SATISFIABLE' })
      await expect(store.get(key, { range: { offset: -1 } })).rejects.toThrow(RangeError)
      const empty = newKey()
      await store.put(empty, '')
      for (const range of [{ offset: 0 }, { offset: 0, length: 1 }, { last: 1 }]) {
        const none = store.get(empty, { range })
        await expect(none).rejects.toMatchObject({ name: 'ValidationError', code: 'RANGE_NOT_SATISFIABLE' })
      }
      for (const range of [{ offset: 0, length: 0 }, { last: 0 }]) {
        expect(await readText(await store.get(empty, { range }))).toBe('')
      }
    })

    it('says that an object is missing', async () => {
      const missing = { name: 'NotFoundError', kind: 'business' }
      await expect(store.head(newKey())).rejects.toMatchObject(missing)
      await expect(store.get(newKey())).rejects.toMatchObject(missing)
      await expect(store.get(newKey(), { range: { offset: 0, length: 0 } })).rejects.toMatchObject(missing)
    })

    it('puts only once where nothing may be there yet, also when many try at the same time', async () => {
      const key = newKey()
      const attempts = await Promise.allSettled(
        Array.from({ length: 8 }, (_, index) => store.put(key, `writer ${index}`, { ifNoneMatch: '*' })),
      )
      const winners = attempts.flatMap(({ status }, index) => (status === 'fulfilled' ? [index] : []))
      expect(winners).toHaveLength(1)
      expect(await readText(await store.get(key))).toBe(`writer ${winners[0]}`)
      await expect(store.put(key, 'late', { ifNoneMatch: '*' })).rejects.toMatchObject({
        name: 'ConflictError',
        kind: 'business',
      })
    })

    it('reads and replaces only what has not changed', async () => {
      const key = newKey()
      const { etag: first } = await store.put(key, 'first')
      expect(await readText(await store.get(key, { ifMatch: first }))).toBe('first')
      const { etag: second } = await store.put(key, 'second')
      await expect(store.get(key, { ifMatch: first })).rejects.toMatchObject({ name: 'ConflictError' })
      await expect(store.head(key, { ifMatch: first })).rejects.toMatchObject({ name: 'ConflictError' })
      expect(await store.head(key, { ifMatch: second })).toMatchObject({ etag: second })
      const nothing = store.get(key, { ifMatch: first, range: { offset: 0, length: 0 } })
      await expect(nothing).rejects.toMatchObject({ name: 'ConflictError' })
      expect(await readText(await store.get(key, { ifMatch: second, range: { offset: 3 } }))).toBe('ond')
    })

    it('reads the version that it is told, where it keeps versions', async () => {
      const key = newKey()
      const { versionId } = await store.put(key, 'first')
      if (versionId === undefined) return
      const { versionId: uploaded } = await store.upload(key, stream(7, 7))
      expect(uploaded).not.toBe(versionId)
      expect(await store.head(key)).toMatchObject({ size: 7, versionId: uploaded })
      expect(await store.head(key, { versionId })).toMatchObject({ size: 5, versionId })
      expect(await readText(await store.get(key, { versionId, range: { offset: 2 } }))).toBe('rst')
      await store.delete(key)
      expect(await readText(await store.get(key, { versionId }))).toBe('first')
      await expect(store.get(key)).rejects.toMatchObject({ name: 'NotFoundError' })
      const other = newKey()
      await expect(store.get(other, { versionId })).rejects.toMatchObject({ kind: 'business' })
    })

    it('names the key in its errors', async () => {
      const key = newKey()
      const expected = { message: expect.stringContaining(key), details: { key } }
      await expect(store.head(key)).rejects.toMatchObject(expected)
      await expect(store.get(key)).rejects.toMatchObject(expected)
      await store.put(key, 'x')
      await expect(store.put(key, 'y', { ifNoneMatch: '*' })).rejects.toMatchObject(expected)
      await expect(store.get(key, { range: { offset: 9 } })).rejects.toMatchObject(expected)
    })

    it('uploads streams of any length, whatever the pieces', async () => {
      for (const size of [0, 1, 5_000_000, 20 * 1024 * 1024 + 7]) {
        const key = newKey()
        const { etag } = await store.upload(key, stream(size, 1_234_567), { contentType: 'text/csv' })
        expect(await store.head(key)).toMatchObject({ size, etag, contentType: 'text/csv' })
        const bytes = await readBytes(await store.get(key))
        expect(bytes.equals(Buffer.concat(await collect(stream(size, 65_536))))).toBe(true)
      }
    })

    it('stores nothing of a stream that fails', async () => {
      for (const size of [10, 20 * 1024 * 1024]) {
        const key = newKey()
        const failing = async function* (): AsyncGenerator<Uint8Array> {
          yield* stream(size, 1_000_000)
          throw new Error('the source broke')
        }
        await expect(store.upload(key, failing())).rejects.toThrow('the source broke')
        await expect(store.head(key)).rejects.toMatchObject({ name: 'NotFoundError' })
      }
    })

    it('uploads only where nothing may be there yet', async () => {
      for (const size of [10, 9 * 1024 * 1024]) {
        const key = newKey()
        await store.put(key, 'first')
        let isClosed = false
        const source = async function* (): AsyncGenerator<Uint8Array> {
          try {
            yield* stream(size, 1_000_000)
          } finally {
            isClosed = true
          }
        }
        const late = store.upload(key, source(), { ifNoneMatch: '*' })
        await expect(late).rejects.toMatchObject({ name: 'ConflictError' })
        expect(isClosed).toBe(true)
        expect(await readText(await store.get(key))).toBe('first')
        const other = newKey()
        const missing = store.upload(other, stream(size, 1_000_000), { ifMatch: '"other"' })
        await expect(missing).rejects.toMatchObject({ name: 'NotFoundError' })
        await store.upload(other, stream(size, 1_000_000), { ifNoneMatch: '*' })
        expect((await store.head(other)).size).toBe(size)
      }
    })

    it('lists by prefix, in order, over many pages', async () => {
      const prefix = `${newKey()}/`
      const expected = Array.from(
        { length: 1050 },
        (_, index) => `${prefix}${String(index).padStart(4, '0')}`,
      )
      for (let at = 0; at < expected.length; at += 25) {
        await Promise.all(expected.slice(at, at + 25).map(key => store.put(key, 'x')))
      }
      const listed = await collect(store.list(prefix))
      expect(listed.map(({ key }) => key)).toEqual(expected)
      expect(listed[0]).toMatchObject({ size: 1 })
      expect(await collect(store.list(`${prefix}104`))).toHaveLength(10)
      expect(await collect(store.list(`${prefix}none`))).toEqual([])
      const rest = await collect(store.list(prefix, { startAfter: `${prefix}1047` }))
      expect(rest.map(({ key }) => key)).toEqual([`${prefix}1048`, `${prefix}1049`])
      await store.deleteMany([...expected.slice(1), `${prefix}none`])
      expect((await collect(store.list(prefix))).map(({ key }) => key)).toEqual([`${prefix}0000`])
      await store.deleteMany([])
    })

    it('deletes, also what is not there', async () => {
      const key = newKey()
      await store.put(key, 'x')
      await store.delete(key)
      await store.delete(key)
      await expect(store.head(key)).rejects.toMatchObject({ name: 'NotFoundError' })
    })

    it('lets anybody put with a presigned request, but only that type and length', async () => {
      const body = Buffer.from('id,name\n1,佐藤\n')
      const key = newKey()
      const bound = { contentType: 'text/csv', contentLength: body.length }
      const presigned = await store.presignPut(key, bound)
      expect(presigned).toMatchObject({ method: 'PUT', headers: { 'content-type': 'text/csv' } })
      const wrongType = { ...presigned, headers: { ...presigned.headers, 'content-type': 'text/html' } }
      expect((await request(wrongType, body)).status).toBe(403)
      const wrongLength = { ...presigned.headers, 'content-length': String(body.length + 1) }
      const longer = Buffer.concat([body, Buffer.from('x')])
      expect((await request({ ...presigned, headers: wrongLength }, longer)).status).toBe(403)
      await expect(store.head(key)).rejects.toMatchObject({ name: 'NotFoundError' })
      expect((await request(presigned, body)).status).toBe(200)
      expect(await store.head(key)).toMatchObject({ size: body.length, contentType: 'text/csv' })
    })

    it('takes a body of any length where the presigned request binds none', async () => {
      const key = newKey()
      const presigned = await store.presignPut(key, { contentType: 'text/csv' })
      expect(presigned.headers).toEqual({ 'content-type': 'text/csv' })
      expect((await request(presigned, Buffer.from('id\n1\n'))).status).toBe(200)
      expect(await store.head(key)).toMatchObject({ size: 5, contentType: 'text/csv' })
    })

    it('lets anybody get with a presigned request', async () => {
      const key = newKey()
      await store.put(key, 'for you')
      const presigned = await store.presignGet(key)
      const { status, body } = await request(presigned)
      expect([status, Buffer.from(body).toString()]).toEqual([200, 'for you'])
    })

    it('presigns for 15 minutes unless told otherwise', async () => {
      const usual = await store.presignGet('x')
      const longer = await store.presignGet('x', { expiresInSeconds: 1800 })
      const between = (longer.expiresAt.getTime() - usual.expiresAt.getTime()) / 1000
      expect(Math.abs(between - 900)).toBeLessThan(60)
    })

    it('refuses keys that S3 does not take, and takes the longest', async () => {
      const calls = [
        (key: string) => store.put(key, 'x'),
        (key: string) => store.upload(key, stream(1, 1)),
        (key: string) => store.get(key),
        (key: string) => store.head(key),
        (key: string) => store.delete(key),
        (key: string) => store.deleteMany([newKey(), key]),
        (key: string) => store.presignGet(key),
        (key: string) => store.presignPut(key, { contentType: 'text/csv' }),
      ]
      for (const key of ['', 'x'.repeat(1025), '語'.repeat(342), '\ud800']) {
        for (const call of calls) {
          await expect(call(key)).rejects.toMatchObject({ name: 'ValidationError', code: 'INVALID_KEY' })
        }
      }
      const longest = `${newKey()}/`.padEnd(1024, 'x')
      await store.put(longest, 'x')
      expect(await store.head(longest)).toMatchObject({ size: 1 })
    })

    it('presigns for 1 second to 7 days', async () => {
      for (const expiresInSeconds of [0, -1, 0.5, 604_801, Number.NaN]) {
        await expect(store.presignGet('x', { expiresInSeconds })).rejects.toThrow(TypeError)
        const put = store.presignPut('x', { contentType: 'text/csv', expiresInSeconds })
        await expect(put).rejects.toThrow(TypeError)
      }
      await store.presignGet('x', { expiresInSeconds: 604_800 })
    })

    it('is not confused by an answer that is lost', async () => {
      const { loseAnswer } = harness
      if (loseAnswer === undefined) return
      const key = newKey()
      loseAnswer()
      const { etag } = await store.put(key, 'first', { ifNoneMatch: '*' })
      expect(await store.head(key)).toMatchObject({ etag })
      loseAnswer()
      await expect(store.put(key, 'other', { ifNoneMatch: '*' })).rejects.toMatchObject({
        name: 'ConflictError',
      })
      loseAnswer()
      const { etag: second } = await store.put(key, 'second', { ifMatch: etag })
      expect(await readText(await store.get(key, { ifMatch: second }))).toBe('second')
      loseAnswer()
      expect(await readText(await store.get(key))).toBe('second')
      loseAnswer()
      await store.put(key, 'third')
      expect(await readText(await store.get(key))).toBe('third')
      loseAnswer()
      expect((await collect(store.list(key))).map(object => object.key)).toEqual([key])
      loseAnswer()
      await store.deleteMany([key])
      loseAnswer()
      await store.delete(key)
      await expect(store.head(key)).rejects.toMatchObject({ name: 'NotFoundError' })
      const large = newKey()
      loseAnswer()
      await store.upload(large, stream(9 * 1024 * 1024, 1_000_000), { ifNoneMatch: '*' })
      expect((await store.head(large)).size).toBe(9 * 1024 * 1024)
    })

    it('stops when it is aborted', async () => {
      const signal = AbortSignal.abort()
      const key = newKey()
      await expect(store.put(key, 'x', { signal })).rejects.toMatchObject({ name: 'AbortError' })
      await expect(store.get(key, { signal })).rejects.toMatchObject({ name: 'AbortError' })
      await expect(store.head(key)).rejects.toMatchObject({ name: 'NotFoundError' })
    })
  })
}

async function overHttp(
  { url, method, headers }: PresignedRequest,
  body?: Uint8Array,
): Promise<PresignedAnswer> {
  // The length is the body's own: fetch sets it.
  const { 'content-length': _, ...sent } = headers
  const init = { method, headers: sent, ...(body && { body: new Uint8Array(body) }) }
  const response = await fetch(url, init)
  return { status: response.status, body: new Uint8Array(await response.arrayBuffer()) }
}

async function* stream(size: number, pieceBytes: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < size; at += pieceBytes) {
    const piece = new Uint8Array(Math.min(pieceBytes, size - at))
    for (let index = 0; index < piece.length; index += 1) piece[index] = (at + index) * 31
    yield piece
  }
}
