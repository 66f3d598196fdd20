import { TemporaryError } from '@stepwright/errors'
import type { IdempotencyStore } from '../idempotency-store.ts'
import { type HeldLock, runOnce } from '../run-once.ts'
import { createProcess, createWorld, type Fate, type World } from './virtual-world.ts'

/** One call of the same work: when, where, and what befalls it. */
export interface Caller {
  readonly key: string
  readonly startMs: number
  /** How wrong its clock is. */
  readonly skewMs: number
  readonly workMs: number
  /** Whether its work fails before the effect. */
  readonly fails: boolean
  readonly lockSeconds: number | undefined
  readonly remainingMs: number
  readonly crashAfterMs: number | undefined
  readonly pause: { readonly afterMs: number; readonly durationMs: number } | undefined
}

export interface Effect {
  readonly key: string
  readonly by: number
  readonly atMs: number
}

/** How a call ended: with the result of an effect, or with an error. */
export interface Answer {
  readonly key: string
  readonly invokedAtMs: number
  readonly answeredAtMs: number
  readonly by?: number
  readonly error?: unknown
}

export interface History {
  readonly effects: readonly Effect[]
  readonly answers: readonly Answer[]
  /** The answer to a call that comes when all is over and nothing goes wrong any more. */
  readonly last: Answer | undefined
}

export interface Stores {
  /** The store as a caller with this clock opens it; a server has the true time. */
  open(callersNow: () => number, serversNow: () => number): IdempotencyStore
  /** Whether the effect happens together with the settling of its key, or some time before. */
  readonly effectInTransaction: boolean
}

export const ttlMs = 60_000
const slowestMs = 500

const fates: readonly Fate[] = ['is lost', 'loses its answer', 'arrives again late']
const calm: Caller = {
  key: 'a',
  startMs: 0,
  skewMs: 0,
  workMs: 0,
  fails: false,
  lockSeconds: undefined,
  remainingMs: 10_000,
  crashAfterMs: undefined,
  pause: undefined,
}

/** Lets all callers loose in one world. `draw` decides on every latency and every message's fate. */
export async function play(stores: Stores, callers: readonly Caller[], draw: () => number): Promise<History> {
  const world = createWorld()
  const effects: Effect[] = []
  const answers: Answer[] = []
  const scene = { world, stores, effects, answers, draw }

  for (const [id, caller] of callers.entries()) {
    world.after(caller.startMs, () => void call(scene, caller, id))
  }
  await world.run()
  const chaotic = answers.length
  world.after(120_000, () => void call({ ...scene, draw: () => fates.length }, calm, callers.length))
  await world.run()
  return { effects, answers: answers.slice(0, chaotic), last: answers[chaotic] }
}

interface Scene {
  readonly world: World
  readonly stores: Stores
  readonly effects: Effect[]
  readonly answers: Answer[]
  readonly draw: () => number
}

async function call(
  { world, stores, effects, answers, draw }: Scene,
  caller: Caller,
  id: number,
): Promise<void> {
  const { key, lockSeconds, crashAfterMs, pause } = caller
  const { effectInTransaction } = stores
  let unrecorded = false
  const process = createProcess(world, {
    skewMs: caller.skewMs,
    latencyMs: () => draw() % slowestMs,
    fate(operation) {
      const fate = fates[draw() % 12] ?? 'arrives'
      // A plain effect that cannot be recorded happens again, by its nature; that is what the transaction is for.
      const mustArrive = operation === 'complete' && !effectInTransaction && fate !== 'arrives again late'
      return mustArrive ? 'arrives' : fate
    },
  })
  if (crashAfterMs !== undefined) world.after(crashAfterMs, () => (unrecorded ? undefined : process.crash()))
  if (pause) world.after(pause.afterMs, () => process.pause(pause.durationMs))

  const open = (callersNow: () => number): IdempotencyStore => stores.open(callersNow, world.time)
  const transaction = process.reach(callersNow => ({
    ...open(callersNow),
    async complete(lock, outcome, ttl) {
      const done = await open(callersNow).complete(lock, outcome, ttl)
      // A transaction, unlike a message, does not arrive twice.
      const first = effects.every(effect => effect.by !== id)
      if (done && first) effects.push({ key, by: id, atMs: world.time() })
      return done
    },
  }))
  const { sleep, now } = process
  const work = async (lock: HeldLock): Promise<number> => {
    await sleep(caller.workMs, new AbortController().signal)
    if (caller.fails) throw new TemporaryError('failed before the effect')
    if (effectInTransaction) {
      await lock.completeIn(transaction, id)
      return id
    }
    if (lock.remainingMs() < 2 * slowestMs) throw new TemporaryError('too late to begin')
    effects.push({ key, by: id, atMs: world.time() })
    unrecorded = true
    return id
  }

  const invokedAtMs = world.time()
  const endsAtMs = now() + caller.remainingMs
  const settings = {
    store: process.reach(open),
    key,
    lockSeconds,
    ttlSeconds: ttlMs / 1000,
    now,
    sleep,
    random: () => 1,
  }
  const answered = (facts: Pick<Answer, 'by' | 'error'>): void => {
    answers.push({ key, invokedAtMs, answeredAtMs: world.time(), ...facts })
  }
  await runOnce({ ...settings, remainingMs: () => endsAtMs - now(), onTrouble: () => {} }, work).then(
    by => answered({ by }),
    error => answered({ error }),
  )
}
