import { type Delivery, isDelayed, isInFlight, type Message } from './message.ts'
import type { QueueSettings } from './settings.ts'

/** What a queue is, apart from what is in it. */
export interface QueueHeader {
  readonly name: string
  readonly settings: QueueSettings
  readonly tags: Readonly<Record<string, string>>
  readonly createdMs: number
  readonly modifiedMs: number
}

/** What was sent under a deduplication id, as long as that counts. */
export interface Sent {
  readonly messageId: string
  readonly sequenceNumber: string
  readonly sentMs: number
}

/** Hears of every change, before anybody is told of it. */
export interface QueueListener {
  header(header: QueueHeader): void
  sent(message: Message, deduplicationKey: string | undefined): void
  delivered(id: string, delivery: Delivery): void
  removed(id: string): void
  purged(): void
}

export interface QueueContents {
  readonly header: QueueHeader
  readonly messages: Iterable<Message>
  readonly deduplicated: Iterable<readonly [key: string, sent: Sent]>
}

export interface Queue {
  readonly header: QueueHeader
  change(header: Partial<Omit<QueueHeader, 'name'>>): void
  /** The message that was sent under the same deduplication id within the last five minutes. */
  duplicateOf(key: string, nowMs: number): Sent | undefined
  put(message: Message, deduplicationKey?: string): void
  /** Messages that can be received now, in order; FIFO leaves out groups of which a message is being worked on. */
  receivable(nowMs: number): Iterable<Message>
  find(id: string): Message | undefined
  deliver(message: Message, delivery: Delivery): Message
  remove(id: string): void
  purge(): void
  /** When a message will be receivable that is not now; undefined if there is none. */
  nextVisibleMs(nowMs: number): number | undefined
  /** How many there are, whatever state they are in. */
  readonly size: number
  counts(nowMs: number): {
    readonly visible: number
    readonly inFlight: number
    readonly delayed: number
  }
  messages(): Iterable<Message>
  deduplicated(): Iterable<readonly [string, Sent]>
}

export const deduplicationMs: number = 5 * 60_000

export function createQueue(contents: QueueContents, listener: QueueListener): Queue {
  let { header } = contents
  const messages = new Map([...contents.messages].map(message => [message.id, message]))
  const deduplicated = new Map(contents.deduplicated)
  /** Dead letters keep their time, and so do not come in the order of it. */
  let hasDeadLetters = [...messages.values()].some(isDeadLetter)

  /** Messages are dropped when their time is over, whoever looks first. */
  const expire = (nowMs: number): void => {
    const oldestMs = nowMs - header.settings.retentionSeconds * 1000
    for (const { id, sentMs } of messages.values()) {
      if (sentMs <= oldestMs) {
        messages.delete(id)
        listener.removed(id)
      } else if (!hasDeadLetters) break
    }
  }

  return {
    get header() {
      return header
    },
    change(part) {
      header = { ...header, ...part }
      listener.header(header)
    },
    duplicateOf(key, nowMs) {
      for (const [each, { sentMs }] of deduplicated) {
        if (sentMs > nowMs - deduplicationMs) break
        deduplicated.delete(each)
      }
      return deduplicated.get(key)
    },
    put(message, deduplicationKey) {
      listener.sent(message, deduplicationKey)
      messages.set(message.id, message)
      hasDeadLetters ||= isDeadLetter(message)
      if (deduplicationKey !== undefined) deduplicated.set(deduplicationKey, toSent(message))
    },
    *receivable(nowMs) {
      expire(nowMs)
      const { fifo } = header.settings
      const blocked = new Set<string | undefined>()
      if (fifo) {
        for (const message of messages.values()) {
          if (isInFlight(message, nowMs)) blocked.add(message.groupId)
        }
      }
      for (const message of messages.values()) {
        if (message.delivery.visibleMs > nowMs) {
          // What is behind it in its group waits for it.
          if (fifo) blocked.add(message.groupId)
        } else if (!fifo || !blocked.has(message.groupId)) yield message
      }
    },
    find: id => messages.get(id),
    deliver(message, delivery) {
      listener.delivered(message.id, delivery)
      const delivered = { ...message, delivery }
      messages.set(message.id, delivered)
      return delivered
    },
    remove(id) {
      if (!messages.has(id)) return
      listener.removed(id)
      messages.delete(id)
    },
    purge() {
      listener.purged()
      messages.clear()
      hasDeadLetters = false
    },
    nextVisibleMs(nowMs) {
      let nextMs: number | undefined
      for (const { delivery } of messages.values()) {
        if (delivery.visibleMs > nowMs && (nextMs === undefined || delivery.visibleMs < nextMs))
          nextMs = delivery.visibleMs
      }
      return nextMs
    },
    get size() {
      return messages.size
    },
    counts(nowMs) {
      expire(nowMs)
      let inFlight = 0
      let delayed = 0
      for (const message of messages.values()) {
        if (isInFlight(message, nowMs)) inFlight += 1
        else if (isDelayed(message, nowMs)) delayed += 1
      }
      return { visible: messages.size - inFlight - delayed, inFlight, delayed }
    },
    messages: () => messages.values(),
    deduplicated: () => deduplicated,
  }
}

function isDeadLetter({ deadLetterOf }: Message): boolean {
  return deadLetterOf !== undefined
}

export function toSent({ id, sequenceNumber = '', sentMs }: Message): Sent {
  return { messageId: id, sequenceNumber, sentMs }
}
