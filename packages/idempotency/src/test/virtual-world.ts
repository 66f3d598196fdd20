import { setImmediate } from 'node:timers/promises'
import type { Sleep } from '@stepwright/errors/retry'
import type { IdempotencyStore } from '../idempotency-store.ts'

/** True time and all that is to happen in it. Nothing in it takes real time. */
export interface World {
  time(): number
  after(delayMs: number, happen: () => void | Promise<void>): void
  /** Lets everything happen, in order, until nothing is left or the time is over. */
  run(untilMs?: number): Promise<void>
  /** Lets everything happen, and gives the call's answer. */
  play<T>(call: Promise<T>): Promise<T>
}

export function createWorld(): World {
  let time = 1_700_000_000_000
  let events: { atMs: number; happen: () => void | Promise<void> }[] = []
  const world: World = {
    time: () => time,
    after(delayMs, happen) {
      const atMs = time + Math.max(0, delayMs)
      const index = events.findIndex(event => event.atMs > atMs)
      events.splice(index === -1 ? events.length : index, 0, { atMs, happen })
    },
    async run(untilMs = Number.POSITIVE_INFINITY) {
      await setImmediate()
      for (let event = events[0]; event && event.atMs <= untilMs; event = events[0]) {
        events = events.slice(1)
        time = event.atMs
        await event.happen()
        await setImmediate()
      }
      if (untilMs < Number.POSITIVE_INFINITY) time = Math.max(time, untilMs)
    },
    async play(call) {
      const [result] = await Promise.allSettled([call, world.run()])
      if (result.status === 'rejected') throw result.reason
      return result.value
    },
  }
  return world
}

/** What becomes of a message: it may get lost on either way, or arrive a second time much later. */
export type Fate = 'arrives' | 'is lost' | 'loses its answer' | 'arrives again late'

/** A process with a clock of its own, which may freeze for a while or die at any time. */
export interface Process {
  now(): number
  readonly sleep: Sleep
  crash(): void
  pause(durationMs: number): void
  /** The store as the process sees it: behind a network. */
  reach(open: (callersNow: () => number) => IdempotencyStore): IdempotencyStore
}

export interface ProcessOptions {
  readonly skewMs?: number
  readonly latencyMs?: () => number
  readonly fate?: (operation: keyof IdempotencyStore) => Fate
}

export function createProcess(
  world: World,
  { skewMs = 0, latencyMs = () => 0, fate = () => 'arrives' }: ProcessOptions = {},
): Process {
  let alive = true
  let pausedUntilMs = 0
  const now = (): number => world.time() + skewMs

  const deliver = (delayMs: number, happen: () => void): void => {
    world.after(delayMs, () => {
      if (!alive) return
      if (world.time() < pausedUntilMs) deliver(pausedUntilMs - world.time(), happen)
      else happen()
    })
  }

  return {
    now,
    crash: () => {
      alive = false
    },
    pause: durationMs => {
      pausedUntilMs = world.time() + durationMs
    },
    sleep: (durationMs, signal) =>
      new Promise((resolve, reject) => {
        signal?.throwIfAborted()
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
        deliver(durationMs, resolve)
      }),
    reach(open) {
      const send = <T>(
        operation: keyof IdempotencyStore,
        apply: (store: IdempotencyStore) => Promise<T>,
      ): Promise<T> =>
        new Promise((resolve, reject) => {
          const sentAt = now()
          const arrive = (): Promise<T> => apply(open(() => sentAt))
          const fateful = fate(operation)
          if (fateful === 'arrives again late') {
            world.after(latencyMs() * 40, async () => void (await arrive()))
          }
          world.after(latencyMs(), async () => {
            if (fateful === 'is lost') return deliver(1_000, () => reject(new Error('timed out')))
            const result = await arrive()
            if (fateful === 'loses its answer') deliver(1_000, () => reject(new Error('timed out')))
            else deliver(latencyMs(), () => resolve(result))
          })
        })
      return {
        acquire: claim => send('acquire', store => store.acquire(claim)),
        find: key => send('find', store => store.find(key)),
        renew: (lock, span) => send('renew', store => store.renew(lock, span)),
        complete: (lock, outcome, ttlMs) => send('complete', store => store.complete(lock, outcome, ttlMs)),
        release: lock => send('release', store => store.release(lock)),
      }
    },
  }
}
