import { createHeap } from './heap.ts'
import type { Message } from './message.ts'

/** Which messages are in flight, counted without looking at each. */
export interface Flights {
  /** A message is there, or has other times. */
  set(message: Message): void
  remove(id: string): void
  clear(): void
  count(nowMs: number): number
}

interface Flight {
  readonly id: string
  readonly endMs: number
}

/** Was in flight. */
const ended = 0

export function createFlights(): Flights {
  // A Map that forgets and learns the same key again and again becomes slow, so that ends are overwritten.
  const endOf = new Map<string, number>()
  const flights = createHeap<Flight>(({ endMs }) => endMs)
  let count = 0
  const isFlying = (id: string): boolean => (endOf.get(id) ?? ended) !== ended
  const isCurrent = ({ id, endMs }: Flight): boolean => endOf.get(id) === endMs

  return {
    set({ id, delivery }) {
      if (delivery.receives === 0) return
      if (!isFlying(id)) count += 1
      endOf.set(id, delivery.visibleMs)
      flights.push({ id, endMs: delivery.visibleMs })
      if (flights.size > 2 * endOf.size + 1000) flights.retain(isCurrent)
    },
    remove(id) {
      if (isFlying(id)) count -= 1
      endOf.delete(id)
    },
    clear() {
      endOf.clear()
      flights.clear()
      count = 0
    },
    count(nowMs) {
      for (
        let flight = flights.peek();
        flight !== undefined && flight.endMs <= nowMs;
        flight = flights.peek()
      ) {
        flights.pop()
        if (!isCurrent(flight)) continue
        endOf.set(flight.id, ended)
        count -= 1
      }
      return count
    },
  }
}
