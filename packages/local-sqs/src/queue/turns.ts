import { createHeap } from './heap.ts'
import type { Message } from './message.ts'

/**
 * Whose turn it is to be received, found without looking at what is in flight. Messages stand in lines: on a FIFO
 * queue a line for each group, in order; on a standard queue each message in a line of its own.
 */
export interface Turns {
  put(message: Message): void
  /** A message that is there has other times. */
  changed(message: Message): void
  remove(message: Message): void
  clear(): void
  /**
   * What can be received now: line by line, those first whose head came first. A line ends at its first message that
   * is not visible. A message may be changed or removed when it was yielded.
   */
  receivable(nowMs: number): Iterable<Message>
  /** When the head of a line becomes visible that is not now. */
  nextVisibleMs(nowMs: number): number | undefined
}

/** A line whose head was such at some time; it counts if it still is. */
interface Turn {
  readonly line: string
  readonly headId: string
  readonly order: number
  readonly visibleMs: number
}

const minSpent = 1000

export function createTurns(isFifo: boolean, find: (id: string) => Message | undefined): Turns {
  /** The number by which a message came. */
  const orders = new Map<string, number>()
  /** FIFO: the ids of each line, in order. */
  const lines = new Map<string, Set<string>>()
  const hidden = createHeap<Turn>(({ visibleMs }) => visibleMs)
  const ready = createHeap<Turn>(({ order }) => order)
  let order = 0

  const lineOf = ({ id, groupId }: Message): string => (isFifo ? (groupId ?? '') : id)
  const headOf = (line: string): string | undefined =>
    isFifo ? lines.get(line)?.values().next().value : line
  const isCurrent = ({ line, headId, visibleMs }: Turn): boolean =>
    find(headId)?.delivery.visibleMs === visibleMs && headOf(line) === headId

  const enter = (line: string, turns = hidden): void => {
    const headId = headOf(line)
    const head = headId === undefined ? undefined : find(headId)
    if (headId === undefined || head === undefined) return
    turns.push({ line, headId, order: orders.get(headId) ?? 0, visibleMs: head.delivery.visibleMs })
    // A turn that no longer counts is left where it is, until there are many.
    if (turns.size > 2 * orders.size + minSpent) turns.retain(isCurrent)
  }
  const surface = (nowMs: number): void => {
    for (let turn = hidden.peek(); turn !== undefined && turn.visibleMs <= nowMs; turn = hidden.peek()) {
      hidden.pop()
      if (isCurrent(turn)) ready.push(turn)
    }
  }

  return {
    put(message) {
      const line = lineOf(message)
      order += 1
      orders.set(message.id, order)
      const ids = isFifo ? (lines.get(line) ?? new Set<string>()) : undefined
      if (ids !== undefined) lines.set(line, ids.add(message.id))
      // What was visible when it was sent need not be waited for.
      const isVisible = message.delivery.visibleMs <= message.sentMs
      if (ids === undefined || ids.size === 1) enter(line, isVisible ? ready : hidden)
    },
    changed(message) {
      const line = lineOf(message)
      if (headOf(line) === message.id) enter(line)
    },
    remove(message) {
      orders.delete(message.id)
      if (!isFifo) return
      const line = lineOf(message)
      const wasHead = headOf(line) === message.id
      const ids = lines.get(line)
      ids?.delete(message.id)
      if (ids?.size === 0) lines.delete(line)
      else if (wasHead) enter(line)
    },
    clear() {
      orders.clear()
      lines.clear()
      hidden.clear()
      ready.clear()
    },
    *receivable(nowMs) {
      surface(nowMs)
      const looked = new Map<string, Turn>()
      try {
        for (let turn = ready.pop(); turn !== undefined; turn = ready.pop()) {
          if (!isCurrent(turn) || looked.has(turn.line)) continue
          looked.set(turn.line, turn)
          for (const id of lines.get(turn.line) ?? [turn.line]) {
            const message = find(id)
            if (message === undefined || message.delivery.visibleMs > nowMs) break
            yield message
          }
        }
      } finally {
        // Those that were looked at and left as they are.
        for (const turn of looked.values()) if (isCurrent(turn)) ready.push(turn)
      }
    },
    nextVisibleMs(nowMs) {
      for (let turn = hidden.peek(); turn !== undefined; turn = hidden.peek()) {
        if (isCurrent(turn) && turn.visibleMs > nowMs) return turn.visibleMs
        hidden.pop()
        if (isCurrent(turn)) ready.push(turn)
      }
      return undefined
    },
  }
}
