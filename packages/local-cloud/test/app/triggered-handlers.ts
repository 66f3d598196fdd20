import { appendFile } from 'node:fs/promises'
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge'
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { createSqsDeadLetters } from '@stepwright/task/dead-letters'
import { toSqsHandler } from '@stepwright/task/sqs'
import { order } from './tasks.ts'

// Clients that only know their environment.

export async function send({ body, to }: { body: string; to?: string }): Promise<void> {
  const client = new SQSClient()
  const QueueUrl = to ?? String(process.env['MAIL_URL'])
  await client.send(new SendMessageCommand({ QueueUrl, MessageBody: body }))
}

export async function publish({ source, detail }: { source: string; detail: object }): Promise<void> {
  const client = new EventBridgeClient()
  const entry = { Source: source, DetailType: 'Test', Detail: JSON.stringify(detail) }
  await client.send(new PutEventsCommand({ Entries: [entry] }))
}

/** Waits to be killed, for a message that says so. */
export async function collect(event: { Records?: { body: string }[] }): Promise<unknown> {
  if (event.Records?.some(({ body }) => body === 'hang')) await new Promise(() => {})
  return { batchItemFailures: [], event }
}

/** Writes down the changes of a table, so that a test can read them after a kill. */
export async function note(event: {
  Records: { dynamodb: { Keys: { sku: { S: string } } } }[]
}): Promise<void> {
  const lines = event.Records.map(({ dynamodb }) => `${dynamodb.Keys.sku.S}\n`)
  await appendFile(String(process.env['NOTES_FILE']), lines.join(''))
}

export async function fail(): Promise<never> {
  throw new Error('not today')
}

export const handleOrders = toSqsHandler(order, {
  deadLetters: createSqsDeadLetters({ queueUrl: String(process.env['DEAD_LETTERS_URL']) }),
})
