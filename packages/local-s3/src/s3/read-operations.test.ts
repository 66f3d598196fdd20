import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Bucket, createBucket, type StoredObject } from './bucket.ts'
import { openObject } from './read-operations.ts'
import { writeSegment } from './segments.ts'

let home = ''
let bucket: Bucket
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'stepwright read '))
  bucket = await createBucket(home, 'files', 0)
})
afterEach(() => rm(home, { recursive: true, force: true }))

async function* content(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text)
}
async function put(text: string): Promise<StoredObject> {
  const segment = await writeSegment(bucket.data, content(text))
  const object = {
    key: 'key',
    size: text.length,
    etag: text,
    lastModified: 0,
    segments: [segment],
    headers: {},
  }
  await bucket.commit(object, () => {})
  return object
}

describe('openObject', () => {
  it('opens the new version of an object that was replaced after the look at it', async () => {
    const stale = [await put('old')]
    await put('new')
    const racing = { ...bucket, get: (key: string) => stale.shift() ?? bucket.get(key) }
    const { object, segments } = await openObject(racing, 'key')
    expect(object.etag).toBe('new')
    const read: Buffer[] = []
    for await (const chunk of segments.read({ start: 0, end: 2 })) read.push(chunk)
    expect(Buffer.concat(read).toString()).toBe('new')
    await segments.close()
  })

  it('says so when the data of an object is gone', async () => {
    await put('lost')
    for (const file of await readdir(bucket.data)) await rm(join(bucket.data, file))
    await expect(openObject(bucket, 'key')).rejects.toMatchObject({ code: 'ENOENT' })
  })
})
