import { createHash } from 'node:crypto'
import type { TaskError } from '@stepwright/errors'

/** A delivery that will never succeed, and why. */
export interface DeadLetter {
  readonly task: string
  /** What identifies the delivery at its source: a message's id, a record's sequence number. */
  readonly id: string
  /** What was delivered, as text. */
  readonly body: string
  readonly error: TaskError
}

/** Where business failures go at once: delivering them again would only fail again. */
export interface DeadLetters {
  send(letter: DeadLetter): Promise<unknown>
}

/** The part of an `SQSClient` that is used. */
interface SqsClient {
  // biome-ignore lint/suspicious/noExplicitAny: a command of the optional peer
  send(command: any): Promise<unknown>
}

export interface SqsDeadLettersOptions {
  readonly queueUrl: string
  /** @default a new `SQSClient`, imported when the first letter is sent */
  readonly client?: SqsClient
  /** The queue's `MaximumMessageSize`: a longer body is cut. @default 1,048,576, the most that SQS takes */
  readonly maxBytes?: number
}

const maxMessageCharacters = 2_000
const maxDetailsCharacters = 20_000

type Attributes = Readonly<Record<string, { readonly DataType: string; readonly StringValue: string }>>

/**
 * A queue of SQS, with the error in each message's attributes: `ErrorName`, `ErrorMessage`, `ErrorDetails` (JSON),
 * `Task` and `DeliveryId`. Where the body had to be cut, `BodyBytes` says how long it was. In a FIFO queue, letters of
 * one task keep their order, and one that is sent twice arrives once.
 */
export function createSqsDeadLetters({
  queueUrl,
  client,
  maxBytes = 1_048_576,
}: SqsDeadLettersOptions): DeadLetters {
  let using = client
  return {
    async send({ task, id, body, error }) {
      const { SendMessageCommand, SQSClient } = await import('@aws-sdk/client-sqs')
      using ??= new SQSClient({})
      await using.send(
        new SendMessageCommand({
          QueueUrl: queueUrl,
          ...fitInto(maxBytes, toSqsText(body), {
            Task: textAttribute(task),
            DeliveryId: textAttribute(id),
            ErrorName: textAttribute(error.name),
            ErrorMessage: textAttribute(error.message.slice(0, maxMessageCharacters)),
            ErrorDetails: textAttribute(toDetails(error.details)),
          }),
          ...(queueUrl.endsWith('.fifo') && {
            MessageGroupId: task,
            MessageDeduplicationId: onceFor(task, id),
          }),
        }),
      )
    },
  }
}

/** Two tasks may fail on one delivery, and their letters go to one queue. */
function onceFor(task: string, id: string): string {
  return createHash('sha256').update(`${task} ${id}`).digest('hex')
}

/** Always JSON, so that whoever reads it can. */
function toDetails(details: unknown): string {
  try {
    const json = JSON.stringify(details ?? {})
    return json.length > maxDetailsCharacters ? JSON.stringify({ omittedCharacters: json.length }) : json
  } catch {
    return '{"unreadable":true}' // circular, or a BigInt
  }
}

/** A letter that is too long would never be sent, and what it is about come back for ever. */
function fitInto(
  maxBytes: number,
  body: string,
  attributes: Attributes,
): { readonly MessageBody: string; readonly MessageAttributes: Attributes } {
  const bodyBytes = Buffer.byteLength(body)
  if (bodyBytes + bytesOf(attributes) <= maxBytes) return { MessageBody: body, MessageAttributes: attributes }
  const all = { ...attributes, BodyBytes: { DataType: 'Number', StringValue: String(bodyBytes) } }
  const fitting = Buffer.from(body).subarray(0, Math.max(0, maxBytes - bytesOf(all)))
  return { MessageBody: wholeCharacters(fitting), MessageAttributes: all }
}

/** Without the character that a cut went through. */
function wholeCharacters(bytes: Buffer): string {
  return new TextDecoder().decode(bytes, { stream: true }) || ' '
}

function bytesOf(attributes: Attributes): number {
  const texts = Object.entries(attributes).map(
    ([name, { DataType, StringValue }]) => name + DataType + StringValue,
  )
  return Buffer.byteLength(texts.join(''))
}

function textAttribute(value: string): Attributes[string] {
  return { DataType: 'String', StringValue: toSqsText(value) }
}

/** SQS refuses an empty text, and characters that XML does not know. */
function toSqsText(text: string): string {
  const allowed = text
    .toWellFormed()
    .replaceAll(/[^\t\n\r -\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
  return allowed === '' ? ' ' : allowed
}
