import { isInFlight, type Message } from '../queue/message.ts'
import { deduplicationMs, type Queue } from '../queue/queue.ts'

/** What was received from FIFO queues under a ReceiveRequestAttemptId, so that asking again gives the same. */
export interface ReceiveAttempts {
  add(queue: Queue, attemptId: string | undefined, messages: readonly Message[], nowMs: number): void
  /**
   * The same messages, invisible for another time, if it was less than five minutes ago, and none of them was
   * deleted, changed or received since.
   */
  again(
    queue: Queue,
    attemptId: string | undefined,
    nowMs: number,
    visibilitySeconds: number,
  ): readonly Message[] | undefined
}

interface Attempt {
  readonly atMs: number
  readonly messages: readonly Message[]
}

export function createReceiveAttempts(): ReceiveAttempts {
  const attemptsOf = new WeakMap<Queue, Map<string, Attempt>>()
  return {
    add(queue, attemptId, messages, nowMs) {
      if (attemptId === undefined) return
      const attempts = attemptsOf.get(queue) ?? new Map<string, Attempt>()
      attemptsOf.set(queue, attempts)
      for (const [id, { atMs }] of attempts) {
        if (atMs > nowMs - deduplicationMs) break
        attempts.delete(id)
      }
      attempts.delete(attemptId)
      attempts.set(attemptId, { atMs: nowMs, messages })
    },
    again(queue, attemptId, nowMs, visibilitySeconds) {
      const attempt = attemptId === undefined ? undefined : attemptsOf.get(queue)?.get(attemptId)
      if (attempt === undefined || attempt.atMs <= nowMs - deduplicationMs) return undefined
      const isUntouched = attempt.messages.every(
        message => queue.find(message.id) === message && isInFlight(message, nowMs),
      )
      if (!isUntouched) return undefined
      const messages = attempt.messages.map(message =>
        queue.deliver(message, { ...message.delivery, visibleMs: nowMs + visibilitySeconds * 1000 }),
      )
      attemptsOf.get(queue)?.set(String(attemptId), { ...attempt, messages })
      return messages
    },
  }
}
