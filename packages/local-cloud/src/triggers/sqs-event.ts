import { region } from '../app/places.ts'

/** A message as ReceiveMessage answers it. */
export interface ReceivedMessage {
  readonly MessageId: string
  readonly ReceiptHandle: string
  readonly Body: string
  readonly MD5OfBody: string
  readonly Attributes?: Readonly<Record<string, string>>
  readonly MessageAttributes?: Readonly<
    Record<
      string,
      { readonly DataType: string; readonly StringValue?: string; readonly BinaryValue?: string }
    >
  >
}

/** A message as a function gets it. */
export function toRecord(message: ReceivedMessage, queueArn: string): object {
  const attributes = Object.entries(message.MessageAttributes ?? {}).map(
    ([name, { DataType, StringValue, BinaryValue }]) => [
      name,
      {
        ...(StringValue !== undefined && { stringValue: StringValue }),
        ...(BinaryValue !== undefined && { binaryValue: BinaryValue }),
        stringListValues: [],
        binaryListValues: [],
        dataType: DataType,
      },
    ],
  )
  return {
    messageId: message.MessageId,
    receiptHandle: message.ReceiptHandle,
    body: message.Body,
    attributes: message.Attributes ?? {},
    messageAttributes: Object.fromEntries(attributes),
    md5OfBody: message.MD5OfBody,
    eventSource: 'aws:sqs',
    eventSourceARN: queueArn,
    awsRegion: region,
  }
}

/** The messages that are done, after a function answered. A report that cannot be understood is a failure of all. */
export function doneOf(messages: readonly ReceivedMessage[], answer: unknown): readonly ReceivedMessage[] {
  if (typeof answer !== 'object' || answer === null || !('batchItemFailures' in answer)) return messages
  const { batchItemFailures: failures } = answer
  if (failures === null || failures === undefined) return messages
  if (!Array.isArray(failures)) return []
  const failed = failures.map(failure => failure?.itemIdentifier)
  const ids = new Set(messages.map(({ MessageId }) => MessageId))
  if (failed.some(id => !ids.has(id))) return []
  return messages.filter(({ MessageId }) => !failed.includes(MessageId))
}
