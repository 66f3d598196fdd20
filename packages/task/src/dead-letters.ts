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
}

const maxMessageCharacters = 2_000
const maxDetailsCharacters = 20_000

/**
 * A queue of SQS, with the error in each message's attributes: `ErrorName`, `ErrorMessage`, `ErrorDetails` (JSON) and
 * `Task`. In a FIFO queue, letters of one task keep their order, and one that is sent twice arrives once.
 */
export function createSqsDeadLetters({ queueUrl, client }: SqsDeadLettersOptions): DeadLetters {
  let using = client
  return {
    async send({ task, id, body, error }) {
      const { SendMessageCommand, SQSClient } = await import('@aws-sdk/client-sqs')
      using ??= new SQSClient({})
      await using.send(
        new SendMessageCommand({
          QueueUrl: queueUrl,
          MessageBody: toSqsText(body, body.length),
          MessageAttributes: {
            ...textAttribute('Task', task, 64),
            ...textAttribute('ErrorName', error.name, 256),
            ...textAttribute('ErrorMessage', error.message, maxMessageCharacters),
            ...textAttribute('ErrorDetails', JSON.stringify(error.details ?? {}), maxDetailsCharacters),
          },
          ...(queueUrl.endsWith('.fifo') && { MessageGroupId: task, MessageDeduplicationId: id }),
        }),
      )
    },
  }
}

function textAttribute(name: string, value: string, maxCharacters: number) {
  return { [name]: { DataType: 'String', StringValue: toSqsText(value, maxCharacters) } }
}

/** SQS refuses an empty text, and characters that XML does not know. */
function toSqsText(text: string, maxCharacters: number): string {
  const allowed = text
    .slice(0, maxCharacters)
    .toWellFormed()
    .replaceAll(/[^\t\n\r -\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
  return allowed === '' ? ' ' : allowed
}
