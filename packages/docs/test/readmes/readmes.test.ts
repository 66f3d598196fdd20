import { expect, it } from 'vitest'

it('reads contacts', async () => {
  const { readContacts } = await import('./csv-read.ts')
  const { contacts, detected } = await readContacts('email;age\nann@example.com;41\n')
  expect(contacts).toEqual([{ email: 'ann@example.com', age: 41 }])
  expect(detected).toMatchObject({ delimiter: ';', encoding: 'UTF-8' })
  await expect(readContacts('mail,age\nx,1\n')).rejects.toThrow('column 1 is "mail"')
})

it('splits a file for an ItemReader, unless it would change a row', async () => {
  const { splitForItemReader } = await import('./csv-chunk-objects.ts')
  const { createMemoryObjectStore } = await import('@stepwright/object-store/memory')
  const store = createMemoryObjectStore()
  await store.put('good.csv', 'a,b\n1,2\n')
  expect((await splitForItemReader(store, 'good.csv', 'x')).chunks).toHaveLength(1)
  await store.put('bad.csv', 'a,b\n1,C:\\new\n')
  await expect(splitForItemReader(store, 'bad.csv', 'y')).rejects.toThrow('would change row 1')
})

it('makes keys from payloads', async () => {
  const { byOrder, byPayload } = await import('./idempotency-payload-key.ts')
  expect([byOrder, byPayload]).toEqual([
    expect.stringMatching(/^charge#[0-9a-f]{64}$/),
    expect.stringMatching(/^charge#[0-9a-f]{64}$/),
  ])
  expect(byOrder).not.toBe(byPayload)
})

it('notes the changes of a table', async () => {
  const { app, NoteChange } = await import('./app-streams.ts')
  expect(app.triggers).toEqual({ StockChanged: { stream: 'stock', calls: 'NoteChange' } })
  const notes: string[] = []
  const dynamodb = { SequenceNumber: '1', Keys: { sku: { S: 'A1' } } }
  const answer = await NoteChange.with({ notes })({ Records: [{ eventName: 'INSERT', dynamodb }] })
  expect([answer, notes]).toEqual([{ batchItemFailures: [] }, ['INSERT A1']])
})

it('counts bounces', async () => {
  const { countBounces } = await import('./mail-events.ts')
  const bounce = { bounceType: 'Permanent', bouncedRecipients: [{ emailAddress: 'ann@example.com' }] }
  expect(countBounces({ detail: { eventType: 'Bounce', mail: { messageId: 'm-1' }, bounce } })).toBe(1)
})

it('sends to a mailbox in tests', async () => {
  expect((await import('./mail-in-tests.ts')).sent).toEqual(['Hello'])
})
