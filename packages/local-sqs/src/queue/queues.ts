import { ServiceError } from '@stepwright/local-server'
import type { QueueLog } from '../storage/queue-log.ts'
import type { Message } from './message.ts'
import { createQueue, type Queue, type QueueContents } from './queue.ts'
import { isRedriveAllowed } from './redrive-allow.ts'
import { parseSettings, shownSettings } from './settings.ts'

export interface QueuesOptions {
  readonly log: QueueLog
  readonly region: string
  readonly account: string
  readonly now: () => number
}

/** All queues, and what happens between them. */
export interface Queues {
  readonly now: () => number
  list(): readonly Queue[]
  /** By its URL; only the name in it counts, so that a URL outlives a port. */
  at(url: string): Queue
  /** @throws ServiceError for a queue that was deleted since */
  assertThere(queue: Queue): void
  named(name: string): Queue
  arnOf(queue: Queue): string
  byArn(arn: string): Queue | undefined
  create(name: string, given: Readonly<Record<string, string>>, tags: Readonly<Record<string, string>>): Queue
  change(queue: Queue, given: Readonly<Record<string, string>>): void
  delete(queue: Queue): void
  /** Takes a message out of a queue and puts it into another. */
  move(message: Message, from: Queue, to: Queue): void
  nextSequenceNumber(): string
  /** Resolves when something was put into the queue, or the signal aborts. */
  changed(queue: Queue, signal: AbortSignal): Promise<void>
  /** Wakes those who wait for messages of the queue. */
  wake(queue: Queue): void
}

const queueName = /^[\w-]{1,80}$/

export function createQueues({ log, region, account, now }: QueuesOptions): Queues {
  const queues = new Map<string, Queue>()
  const waiting = new Map<string, Set<() => void>>()
  // Larger than any that was given before, also by an earlier process.
  let sequence = BigInt(now()) * 1_000_000n

  const open = (contents: QueueContents): Queue => {
    const { name } = contents.header
    const queue: Queue = createQueue(
      contents,
      log.listenerOf(name, () => queues.get(name)),
    )
    queues.set(name, queue)
    return queue
  }
  for (const contents of log.load()) open(contents)

  const arnOfName = (name: string): string => `arn:aws:sqs:${region}:${account}:${name}`
  const arnOf = ({ header }: Queue): string => arnOfName(header.name)
  const byArn = (arn: string): Queue | undefined => [...queues.values()].find(queue => arnOf(queue) === arn)
  const named = (name: string): Queue => {
    const queue = queues.get(name)
    if (queue) return queue
    throw queueMissing()
  }
  const wake = ({ header }: Queue): void => {
    for (const resolve of waiting.get(header.name) ?? []) resolve()
  }
  /** Dead letters go to a queue of the same kind. */
  const checkRedrive = (name: string, given: Readonly<Record<string, string>>): void => {
    const { redrive, fifo } = parseSettings(given)
    if (redrive === undefined) return
    const target = byArn(redrive.deadLetterArn)?.header.settings
    const problems = new Map([
      ['Dead letter target does not exist.', target === undefined],
      ['Dead-letter queue must be same type of queue as the source.', target?.fifo !== fifo],
      [
        "Queue is not permitted to use the dead letter target by that target's RedriveAllowPolicy.",
        !isRedriveAllowed(target?.redriveAllow, arnOfName(name)),
      ],
    ])
    const [reason] = [...problems].find(([, isThere]) => isThere) ?? []
    if (reason === undefined) return
    throw new ServiceError(
      'InvalidParameterValue',
      `Value ${given['RedrivePolicy']} for parameter RedrivePolicy is invalid. Reason: ${reason}`,
    )
  }

  return {
    now,
    list: () => [...queues.values()],
    at: url => named(url.split('/').at(-1) ?? ''),
    assertThere(queue) {
      if (named(queue.header.name) !== queue) throw queueMissing()
    },
    named,
    arnOf,
    byArn,
    create(name, given, tags) {
      const settings = parseSettings(given)
      checkName(name, settings.fifo)
      const existing = queues.get(name)
      if (existing) {
        const [differs] = Object.entries(settings.given).find(
          ([key, value]) => shownSettings(existing.header.settings)[key] !== value,
        ) ?? [undefined]
        if (differs === undefined) return existing
        throw new ServiceError(
          'QueueNameExists',
          `A queue already exists with the same name and a different value for attribute ${differs}`,
        )
      }
      checkRedrive(name, given)
      const header = { name, settings, tags, createdMs: now(), modifiedMs: now() }
      const queue = open({ header, messages: [], deduplicated: [] })
      queue.change({})
      return queue
    },
    change(queue, given) {
      if (given['FifoQueue'] !== undefined && !queue.header.settings.fifo)
        throw new ServiceError('InvalidAttributeName', 'Unknown Attribute FifoQueue.')
      const merged = Object.fromEntries(
        Object.entries({ ...queue.header.settings.given, ...given }).filter(
          // An empty policy takes the policy away, as an empty key does.
          ([name, value]) => value !== '' || !/Policy$|^Kms/.test(name),
        ),
      )
      checkRedrive(queue.header.name, merged)
      queue.change({ settings: parseSettings(merged), modifiedMs: now() })
      wake(queue)
    },
    delete(queue) {
      queues.delete(queue.header.name)
      log.forget(queue.header.name)
      wake(queue)
    },
    move(message, from, to) {
      const nowMs = now()
      to.put({
        ...message,
        deadLetterOf: arnOf(from),
        // Those of a standard queue keep the time that they have left.
        sentMs: from.header.settings.fifo ? nowMs : message.sentMs,
        delivery: { visibleMs: nowMs, receives: message.delivery.receives },
      })
      from.remove(message.id)
      wake(to)
    },
    nextSequenceNumber() {
      sequence += 1n
      return String(sequence).padStart(20, '1')
    },
    changed({ header }, signal) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const listeners = waiting.get(header.name) ?? new Set()
      waiting.set(header.name, listeners)
      listeners.add(resolve)
      signal.addEventListener('abort', () => resolve(), { once: true })
      return promise.finally(() => listeners.delete(resolve))
    },
    wake,
  }
}

export function queueMissing(): ServiceError {
  return new ServiceError('QueueDoesNotExist', 'The specified queue does not exist.')
}

function checkName(name: string, fifo: boolean): void {
  if (fifo && !(name.endsWith('.fifo') && name.length <= 80 && queueName.test(name.slice(0, -5)))) {
    throw new ServiceError(
      'InvalidParameterValue',
      'The name of a FIFO queue can only include alphanumeric characters, hyphens, or underscores, must end with .fifo suffix and be 1 to 80 in length',
    )
  }
  if (!fifo && !queueName.test(name)) {
    throw new ServiceError(
      'InvalidParameterValue',
      'Can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in length',
    )
  }
}
