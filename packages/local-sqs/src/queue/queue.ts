import { createFlights } from './flights.ts'
import { createHeap } from './heap.ts'
import { type Delivery, isDelayed, type Message } from './message.ts'
import type { QueueSettings } from './settings.ts'
import { createTurns } from './turns.ts'

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
  /**
   * Messages that can be received now, in order. FIFO: group by group, each up to its first message that somebody
   * works on or that is delayed.
   */
  receivable(nowMs: number): Iterable<Message>
  find(id: string): Message | undefined
  deliver(message: Message, delivery: Delivery): Message
  remove(id: string): void
  purge(): void
  /** When a message will be receivable that is not now; undefined if there is none. */
  nextVisibleMs(nowMs: number): number | undefined
  /** How many there are, whatever state they are in. */
  readonly size: number
  /** How many are being worked on. */
  inFlight(nowMs: number): number
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
  const messages = new Map<string, Message>()
  const deduplicated = new Map(contents.deduplicated)
  const turns = createTurns(header.settings.fifo, id => messages.get(id))
  const flights = createFlights()
  /** Dead letters keep their time, and so do not come in the order of it. */
  const oldest = createHeap<Message>(({ sentMs }) => sentMs)

  const add = (message: Message): void => {
    messages.set(message.id, message)
    oldest.push(message)
    turns.put(message)
    flights.set(message)
  }
  for (const message of contents.messages) add(message)

  const take = (message: Message): void => {
    messages.delete(message.id)
    turns.remove(message)
    flights.remove(message.id)
  }
  /** Messages are dropped when their time is over, whoever looks first. */
  const expire = (nowMs: number): void => {
    const oldestMs = nowMs - header.settings.retentionSeconds * 1000
    for (let first = oldest.peek(); first !== undefined && first.sentMs <= oldestMs; first = oldest.peek()) {
      oldest.pop()
      const message = messages.get(first.id)
      if (message === undefined) continue
      take(message)
      listener.removed(message.id)
    }
    if (oldest.size > 2 * messages.size + 1000) oldest.retain(({ id }) => messages.has(id))
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
      add(message)
      if (deduplicationKey !== undefined) deduplicated.set(deduplicationKey, toSent(message))
    },
    receivable(nowMs) {
      expire(nowMs)
      return turns.receivable(nowMs)
    },
    find: id => messages.get(id),
    deliver(message, delivery) {
      listener.delivered(message.id, delivery)
      const delivered = { ...message, delivery }
      messages.set(message.id, delivered)
      turns.changed(delivered)
      flights.set(delivered)
      return delivered
    },
    remove(id) {
      const message = messages.get(id)
      if (message === undefined) return
      listener.removed(id)
      take(message)
    },
    purge() {
      listener.purged()
      messages.clear()
      deduplicated.clear()
      oldest.clear()
      turns.clear()
      flights.clear()
    },
    nextVisibleMs: turns.nextVisibleMs,
    get size() {
      return messages.size
    },
    inFlight: flights.count,
    counts(nowMs) {
      expire(nowMs)
      const inFlight = flights.count(nowMs)
      let delayed = 0
      for (const message of messages.values()) if (isDelayed(message, nowMs)) delayed += 1
      return { visible: messages.size - inFlight - delayed, inFlight, delayed }
    },
    messages: () => messages.values(),
    deduplicated: () => deduplicated,
  }
}

export function toSent({ id, sequenceNumber = '', sentMs }: Message): Sent {
  return { messageId: id, sequenceNumber, sentMs }
}
