import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Message } from './message.ts'
import { createQueue } from './queue.ts'
import { parseSettings } from './settings.ts'

const listener = {
  header: () => undefined,
  sent: () => undefined,
  delivered: () => undefined,
  removed: () => undefined,
  purged: () => undefined,
}
const steps = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('put'), group: fc.nat(3), delay: fc.nat(3) }),
    fc.record({ kind: fc.constant('receive'), max: fc.integer({ min: 1, max: 4 }), seconds: fc.nat(4) }),
    fc.record({ kind: fc.constant('remove'), index: fc.nat(20) }),
    fc.record({ kind: fc.constant('change'), index: fc.nat(20), seconds: fc.nat(4) }),
    fc.record({ kind: fc.constant('pass'), seconds: fc.nat(5) }),
  ),
  { maxLength: 60 },
) as fc.Arbitrary<
  { kind: string; group: number; delay: number; max: number; seconds: number; index: number }[]
>

/** What the queue must give, found by looking at every message. */
function expected(messages: readonly Message[], fifo: boolean, nowMs: number): string[] {
  const lines = Map.groupBy(messages, ({ id, groupId }) => (fifo ? groupId : id))
  return [...lines.values()].flatMap(line => {
    const end = line.findIndex(({ delivery }) => delivery.visibleMs > nowMs)
    return (end === -1 ? line : line.slice(0, end)).map(({ id }) => id)
  })
}

describe('createQueue', () => {
  it.each([true, false])('gives what a look at every message would, FIFO: %s', fifo => {
    fc.assert(
      fc.property(steps, given => {
        let nowMs = 1_000_000
        const settings = parseSettings(fifo ? { FifoQueue: 'true' } : {})
        const header = { name: 'q', settings, tags: {}, createdMs: 0, modifiedMs: 0 }
        const queue = createQueue({ header, messages: [], deduplicated: [] }, listener)
        for (const [at, step] of given.entries()) {
          const all = [...queue.messages()]
          const some = all[step.index % Math.max(1, all.length)]
          if (step.kind === 'put') {
            const delivery = { visibleMs: nowMs + step.delay * 1000, receives: 0 }
            queue.put({
              id: `m${at}`,
              body: '',
              attributes: {},
              sentMs: nowMs,
              groupId: `g${step.group}`,
              delivery,
            })
          } else if (step.kind === 'remove' && some) queue.remove(some.id)
          else if (step.kind === 'change' && some) {
            queue.deliver(some, { visibleMs: nowMs + step.seconds * 1000, receives: 1 })
          } else if (step.kind === 'pass') nowMs += step.seconds * 1000
          else if (step.kind === 'receive') {
            const wanted = expected(all, fifo, nowMs).slice(0, step.max)
            const taken: string[] = []
            for (const message of queue.receivable(nowMs)) {
              taken.push(message.id)
              queue.deliver(message, { visibleMs: nowMs + step.seconds * 1000, receives: 1 })
              if (taken.length === step.max) break
            }
            expect(taken).toEqual(wanted)
          }
          const left = [...queue.messages()]
          const isHidden = ({ delivery }: Message) => delivery.visibleMs > nowMs
          expect(queue.inFlight(nowMs)).toBe(
            left.filter(message => message.delivery.receives > 0 && isHidden(message)).length,
          )
          const heads = fifo
            ? [...Map.groupBy(left, ({ groupId }) => groupId).values()].map(([head]) => head)
            : left
          const next = heads.flatMap(head => (head && isHidden(head) ? [head.delivery.visibleMs] : []))
          expect(queue.nextVisibleMs(nowMs)).toBe(next.length === 0 ? undefined : Math.min(...next))
        }
        expect([...queue.receivable(nowMs)].map(({ id }) => id)).toEqual(
          expected([...queue.messages()], fifo, nowMs),
        )
      }),
      { numRuns: 300 },
    )
  })
})
