import { ServiceError, type ServiceInput } from '@stepwright/local-server'
import type { Message } from '../queue/message.ts'
import type { Queue } from '../queue/queue.ts'
import { invalid, textOf } from './input.ts'

/** Who received which message of which queue, for the how-manieth time. */
export function toReceiptHandle({ header }: Queue, { id, delivery }: Message): string {
  return Buffer.from(JSON.stringify([header.name, id, delivery.receives])).toString('base64')
}

export interface Receipt {
  /** Undefined if it is not there any more. */
  readonly message: Message | undefined
  /** Nobody has received the message since, and on a FIFO queue it is still in flight. */
  readonly isLatest: boolean
}

/** @throws ServiceError for a handle that this queue did not give */
export function receiptOf(queue: Queue, input: ServiceInput): Receipt {
  const handle = textOf(input, 'ReceiptHandle')
  const [name, id, receives] = parse(handle)
  if (name !== queue.header.name) {
    throw new ServiceError(
      'ReceiptHandleIsInvalid',
      `The input receipt handle "${handle}" is not a valid receipt handle.`,
    )
  }
  const message = queue.find(id)
  return { message, isLatest: message?.delivery.receives === receives }
}

export function receiptExpired(input: ServiceInput): ServiceError {
  return invalid('ReceiptHandle', input['ReceiptHandle'], 'The receipt handle has expired.')
}

function parse(handle: string): readonly [name: string, id: string, receives: number] {
  try {
    const parsed = JSON.parse(Buffer.from(handle, 'base64').toString())
    if (Array.isArray(parsed)) return parsed as [string, string, number]
  } catch {
    // Not one of ours, then.
  }
  return ['', '', 0]
}
