import { readFile } from 'node:fs/promises'
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { type RunningApp, startApp } from '@stepwright/local-cloud'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { app } from './app.ts'

/** The app as it is deployed, on a real PostgreSQL and S3's protocol, on this machine. */
let running: RunningApp
beforeAll(async () => {
  running = await startApp(app)
}, 60_000)
afterAll(() => running.stop(), 60_000)

async function upload(key: string, body: string) {
  const { endpoint, region, credentials } = running.services.s3
  const client = new S3Client({ endpoint, region, credentials, forcePathStyle: true })
  await client.send(new PutObjectCommand({ Bucket: running.names.buckets['files'], Key: key, Body: body }))
  client.destroy()
}

async function contacts() {
  const client = new pg.Client({ connectionString: running.services.postgres.url })
  await client.connect()
  const { rows } = await client.query('select email, name from contact order by email')
  await client.end()
  return rows
}

it('imports a file that is put into the bucket, and says which rows were refused', async () => {
  const ended = running.ended('import')
  await upload('contacts/first.csv', await readFile(new URL('../contacts.csv', import.meta.url), 'utf8'))
  const { status, output } = await ended
  expect(status).toBe('SUCCEEDED')
  expect(JSON.parse(output ?? '')).toMatchObject({
    counts: { received: 3, inserted: 2, rejected: 1 },
    rejected: [{ rowNumber: 3, reason: 'email must be an address' }],
  })
  expect(await contacts()).toEqual([
    { email: 'ada@example.com', name: 'Ada' },
    { email: 'grace@example.com', name: 'Grace' },
  ])
}, 60_000)

it('fails by name for a file that is no CSV of contacts', async () => {
  const ended = running.ended('import')
  await upload('contacts/other.csv', 'id,price\n1,2\n')
  expect(await ended).toMatchObject({ status: 'FAILED', error: 'CSVValidationError' })
}, 60_000)
