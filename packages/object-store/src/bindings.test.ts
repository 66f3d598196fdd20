import { binding, bucket } from '@stepwright/app/bindings'
import { lambda } from '@stepwright/app/functions'
import { defineTask } from '@stepwright/task'
import { describe, expect, expectTypeOf, it } from 'vitest'
import * as z from 'zod'
import { objects, recentRanges } from './bindings.ts'
import { assertCovered } from './covered-keys.ts'
import { createMemoryObjectStore } from './memory-object-store.ts'
import type { ObjectStore } from './object-store.ts'
import { readText } from './read-body.ts'

const files = bucket('files')

describe('objects', () => {
  it('needs the name of the bucket, with the rights', () => {
    expect(objects(files, 'read uploads/*', 'write chunks/*').needs.variables).toEqual({
      FILES_BUCKET: { bucket: 'files', may: ['read uploads/*', 'write chunks/*'] },
    })
  })

  it('has the methods that the rights allow, and no others', async () => {
    const read = objects(files, 'read uploads/*')
    expectTypeOf<Awaited<ReturnType<typeof read.open>>>().toEqualTypeOf<
      Pick<ObjectStore, 'head' | 'get' | 'list' | 'presignGet'>
    >()
    const save = defineTask({
      name: 'save',
      input: z.object({}),
      output: z.object({}),
      errors: [],
      run: (_input, _ports: { store: Pick<ObjectStore, 'put'> }) => ({}),
    })
    // @ts-expect-error: the task puts objects, and the binding may only read them
    lambda(save, { store: read })
    const deleting = objects(files, 'delete')
    expectTypeOf<Awaited<ReturnType<typeof deleting.open>>>().not.toHaveProperty('get')
  })
})

describe('recentRanges', () => {
  it('keeps what was read of each store, and gives the same one for the same bucket', async () => {
    const stores = { a: createMemoryObjectStore(), b: createMemoryObjectStore() }
    const byName = binding({ open: () => (name: string | undefined) => stores[name as 'a' | 'b'] })
    const storeOf = await recentRanges(byName).open({})
    const { etag } = await stores.a.put('key', 'abc')
    const read = async () =>
      readText(await storeOf('a').get('key', { range: { offset: 0, length: 2 }, ifMatch: etag }))
    const first = await read()
    await stores.a.delete('key')
    expect([first, await read()]).toEqual(['ab', 'ab'])
    await expect(read()).rejects.toMatchObject({ name: 'NotFoundError' })
    expect(storeOf('a')).toBe(storeOf('a'))
    expect(storeOf('a')).not.toBe(storeOf('b'))
  })
})

describe('assertCovered', () => {
  const store = assertCovered(createMemoryObjectStore(), 'files', [
    'read in/*',
    'write in/*',
    'read out/?.csv',
  ])

  it('passes on what a right covers', async () => {
    await store.put('in/a.csv', 'x')
    expect(await store.head('in/a.csv')).toMatchObject({ size: 1 })
  })

  it('says which right is missing, and not the whole key', async () => {
    await expect(store.put('out/ann@example.com.csv', 'x')).rejects.toThrow(
      "the binding of the bucket files does not allow to write out/*; add the right 'write out/*'",
    )
    await expect(store.get('out/10.csv')).rejects.toThrow('does not allow to read out/*')
    await expect(store.delete('in/a.csv')).rejects.toThrow("add the right 'delete in/*'")
    await expect(store.deleteMany(['in/a.csv'])).rejects.toMatchObject({ name: 'UnexpectedError' })
    await expect(store.presignPut('out/x', { contentType: 'text/csv' })).rejects.toMatchObject({
      name: 'UnexpectedError',
    })
  })
})
