import {
  ConcurrentExecutionError,
  DataValidationError,
  defineBusinessError,
  IdempotencyConflictError,
  isTaskError,
  PayloadTooLargeError,
  type TaskErrorClass,
  TemporaryError,
} from '@stepwright/errors'
import { beforeEach, describe, expect, it } from 'vitest'
import { IdempotencyStoreError, UntellableResultError } from './errors.ts'
import type { IdempotencyStore } from './idempotency-store.ts'
import { createMemoryIdempotencyStore } from './memory-store.ts'
import { type HeldLock, type RunOnceOptions, runOnce } from './run-once.ts'
import { createProcess, createWorld, type Process, type World } from './test/virtual-world.ts'

class OutOfStock extends defineBusinessError('OutOfStock', { httpStatus: 409 }) {}

function aTaskError(errorClass: TaskErrorClass, facts: object = {}) {
  return expect.toSatisfy(error => {
    expect(error).toMatchObject(facts)
    return isTaskError(error, errorClass)
  }, errorClass.errorName)
}

let world: World
let here: Process
let store: IdempotencyStore
let troubles: string[]
let runs: number
beforeEach(() => {
  world = createWorld()
  here = createProcess(world)
  store = createMemoryIdempotencyStore({ now: world.time })
  troubles = []
  runs = 0
})

function settings(more: Partial<RunOnceOptions> = {}): RunOnceOptions {
  return {
    store,
    key: 'charge#1',
    now: here.now,
    sleep: here.sleep,
    random: () => 1,
    onTrouble: doing => troubles.push(doing),
    ...more,
  }
}
async function count() {
  return ++runs
}
const never = new AbortController().signal
function takes(durationMs: number) {
  return async () => {
    await here.sleep(durationMs, never)
    return count()
  }
}
const longKey = 'é'.repeat(1_024)
function failing(operation: keyof IdempotencyStore, times = Number.POSITIVE_INFINITY): IdempotencyStore {
  let left = times
  const broken = async () => {
    if (left-- > 0) throw new Error('the store is down')
  }
  const whole = store as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>
  return {
    ...store,
    async [operation](...args: unknown[]) {
      await broken()
      return whole[operation]?.(...args)
    },
  }
}

describe('runOnce', () => {
  it.each(['', 'a\0', 'charge#\ud83d', `${longKey}é`])(
    'refuses the key %j, which a store would refuse or take for another',
    async key => {
      const refused = runOnce(settings({ key }), count)
      await expect(refused).rejects.toEqual(aTaskError(DataValidationError))
      expect(runs).toBe(0)
    },
  )

  it('takes keys of any language, up to 2,048 bytes', async () => {
    expect(await runOnce(settings({ key: '注文#😀' }), count)).toBe(1)
    expect(await runOnce(settings({ key: longKey }), count)).toBe(2)
  })

  it('runs the work once and gives the same answer again', async () => {
    expect(await runOnce(settings(), count)).toBe(1)
    expect(await runOnce(settings(), count)).toBe(1)
    expect(await runOnce(settings({ key: 'charge#2' }), count)).toBe(2)
  })

  it('gives the first answer as JSON carries it, so that it is the same as the later ones', async () => {
    const work = async () => ({ at: new Date(0), left: undefined, n: ++runs })
    const answers = [await runOnce(settings(), work), await runOnce(settings(), work)]
    expect(answers).toStrictEqual([
      { at: '1970-01-01T00:00:00.000Z', n: 1 },
      { at: '1970-01-01T00:00:00.000Z', n: 1 },
    ])
  })

  it('runs work that returns nothing once', async () => {
    const work = async () => void runs++
    expect(await runOnce(settings(), work)).toBeUndefined()
    expect(await runOnce(settings(), work)).toBeUndefined()
    expect(runs).toBe(1)
  })

  it('runs again when the answer has expired', async () => {
    await runOnce(settings({ ttlSeconds: 60 }), count)
    await world.run(world.time() + 60_001)
    expect(await runOnce(settings({ ttlSeconds: 60 }), count)).toBe(2)
  })

  it('refuses a second call meanwhile and says when the lock expires', async () => {
    const first = runOnce(settings({ remainingMs: () => 30_000 }), takes(10_000))
    await world.run(world.time() + 4_000)
    await expect(runOnce(settings(), count)).rejects.toThrow(
      aTaskError(ConcurrentExecutionError, { retryAfterSeconds: 26, details: { key: 'charge#1' } }),
    )
    expect(await world.play(first)).toBe(1)
  })

  describe('with waitSeconds', () => {
    it('waits for the call that runs, and gives its answer', async () => {
      const first = runOnce(settings(), takes(3_000))
      await world.run(world.time() + 1_000)
      const second = runOnce(settings({ waitSeconds: 5 }), count)
      await world.run()
      expect(await Promise.all([first, second])).toEqual([1, 1])
    })

    it('takes over from a call that failed meanwhile', async () => {
      const first = runOnce(settings(), async () => {
        await here.sleep(1_000, never)
        throw new OutOfStock('none left')
      })
      const failed = expect(first).rejects.toThrow(OutOfStock)
      const second = runOnce(settings({ waitSeconds: 5 }), count)
      await world.run()
      await failed
      expect(await second).toBe(1)
    })

    it('waits no longer than that', async () => {
      const first = runOnce(settings(), takes(10_000))
      await world.run(world.time() + 1_000)
      const started = world.time()
      let waitedMs = 0
      const second = runOnce(settings({ waitSeconds: 5 }), count).finally(() => {
        waitedMs = world.time() - started
      })
      const refused = expect(second).rejects.toThrow(aTaskError(ConcurrentExecutionError))
      await world.run()
      await refused
      expect(waitedMs).toBe(5_000)
      expect(await first).toBe(1)
    })

    it('does not wait for another payload', async () => {
      const first = runOnce(settings({ fingerprint: 'f1' }), takes(10_000))
      await expect(runOnce(settings({ fingerprint: 'f2', waitSeconds: 5 }), count)).rejects.toThrow(
        aTaskError(IdempotencyConflictError),
      )
      expect(await world.play(first)).toBe(1)
    })
  })

  it.each(['meanwhile', 'afterwards'])('refuses another payload %s', async when => {
    const first = runOnce(settings({ fingerprint: 'f1' }), takes(1_000))
    if (when === 'afterwards') await world.play(first)
    const second = runOnce(settings({ fingerprint: 'f2' }), count)
    await expect(second).rejects.toThrow(aTaskError(IdempotencyConflictError))
    expect(await world.play(first)).toBe(1)
  })

  it('lets a crashed owner block the key for its remaining time only', async () => {
    void runOnce(settings({ remainingMs: () => 30_000 }), takes(20_000))
    await world.run(world.time() + 1_000)
    here.crash()
    here = createProcess(world)
    await world.run(world.time() + 28_000)
    await expect(runOnce(settings(), count)).rejects.toThrow(
      aTaskError(ConcurrentExecutionError, { retryAfterSeconds: 1 }),
    )
    await world.run(world.time() + 1_001)
    expect(await runOnce(settings(), count)).toBe(1)
  })

  it('renews a short lock while the work runs', async () => {
    const first = runOnce(settings({ lockSeconds: 3, remainingMs: () => 900_000 }), takes(60_000))
    for (let minute = 0; minute < 59; minute += 1) {
      await world.run(world.time() + 1_000)
      await expect(runOnce(settings(), count)).rejects.toThrow(aTaskError(ConcurrentExecutionError))
    }
    expect(await world.play(first)).toBe(1)
    expect(troubles).toEqual([])
  })

  it('renews a lock of 60 s where the process has no end', async () => {
    const first = runOnce(settings(), takes(300_000))
    await world.run(world.time() + 299_000)
    await expect(runOnce(settings(), count)).rejects.toThrow(aTaskError(ConcurrentExecutionError))
    expect(await world.play(first)).toBe(1)
  })

  it('counts the lock from when it was asked for, not from when the answer came', async () => {
    here = createProcess(world, { latencyMs: () => 500 })
    const remote = here.reach(() => store)
    const seen: number[] = []
    const call = runOnce(settings({ store: remote, lockSeconds: 6 }), async lock => {
      seen.push(lock.remainingMs())
      await here.sleep(3_500, never)
      seen.push(lock.remainingMs())
    })
    await world.play(call)
    expect(seen).toEqual([5_000, 4_500])
  })

  it('keeps the lock while the answer is being stored', async () => {
    const slow: IdempotencyStore = {
      ...store,
      async complete(...args) {
        await here.sleep(30_000, never)
        return store.complete(...args)
      },
    }
    const first = runOnce(settings({ store: slow, lockSeconds: 3 }), count)
    await world.run(world.time() + 29_000)
    await expect(runOnce(settings(), count)).rejects.toThrow(aTaskError(ConcurrentExecutionError))
    expect(await world.play(first)).toBe(1)
  })

  it('survives a renewal that fails', async () => {
    const call = runOnce(settings({ store: failing('renew', 1), lockSeconds: 3 }), takes(10_000))
    expect(await world.play(call)).toBe(1)
    expect(troubles).toEqual(['renewing the lock on charge#1'])
  })

  it('aborts the signal when the lock can no longer be renewed', async () => {
    let lock: HeldLock | undefined
    const call = runOnce(settings({ store: failing('renew'), lockSeconds: 3 }), async held => {
      lock = held
      await here.sleep(60_000, held.signal)
    })
    await world.run(world.time() + 2_999)
    expect(lock?.signal.aborted).toBe(false)
    expect(lock?.remainingMs()).toBe(1)
    await expect(world.play(call)).rejects.toThrow(aTaskError(ConcurrentExecutionError))
    expect(lock?.remainingMs()).toBe(0)
  })

  it('hands on the signal it was given', async () => {
    const stop = new AbortController()
    const call = runOnce(settings({ signal: stop.signal }), held => here.sleep(60_000, held.signal))
    await world.run(world.time() + 1_000)
    stop.abort(new TemporaryError('out of time'))
    await expect(world.play(call)).rejects.toThrow(aTaskError(TemporaryError))
  })

  it('answers a slow owner with what its heir did', async () => {
    const slow = runOnce(settings({ remainingMs: () => 1_000 }), takes(10_000))
    await world.run(world.time() + 1_001)
    expect(await runOnce(settings(), async () => 'of the heir')).toBe('of the heir')
    expect(await world.play(slow)).toBe('of the heir')
    expect(await runOnce(settings(), count)).toBe('of the heir')
  })

  it('tells a slow owner to come again while its heir is at work', async () => {
    const slow = runOnce(settings({ remainingMs: () => 1_000 }), takes(10_000))
    await world.run(world.time() + 1_001)
    const heir = runOnce(settings({ remainingMs: () => 60_000 }), takes(30_000))
    await expect(world.play(slow)).rejects.toThrow(aTaskError(ConcurrentExecutionError))
    expect(await heir).toBe(2)
  })

  it('frees the key when the work fails', async () => {
    const failure = new OutOfStock('none left')
    await expect(runOnce(settings(), () => Promise.reject(failure))).rejects.toBe(failure)
    expect(await runOnce(settings(), count)).toBe(1)
  })

  it('does not let a slow owner that fails free the key of its heir', async () => {
    const slow = runOnce(settings({ remainingMs: () => 1_000 }), async () => {
      await here.sleep(10_000, never)
      throw new TemporaryError('too slow')
    })
    await world.run(world.time() + 1_001)
    const heir = runOnce(settings({ remainingMs: () => 60_000 }), takes(30_000))
    const failed = expect(slow).rejects.toThrow('too slow')
    await world.run(world.time() + 10_000)
    await failed
    await expect(runOnce(settings(), count)).rejects.toThrow(aTaskError(ConcurrentExecutionError))
    expect(await world.play(heir)).toBe(1)
  })

  it('throws a business failure again, if asked to', async () => {
    const fail = async () => {
      runs += 1
      throw new OutOfStock('none left', { code: 'NONE', details: { sku: 'BN-12' } })
    }
    const first = runOnce(settings({ replayFailures: true }), fail)
    await expect(first).rejects.toBeInstanceOf(OutOfStock)
    const again = runOnce(settings({ replayFailures: true }), fail)
    await expect(again).rejects.toThrow(
      aTaskError(OutOfStock, {
        name: 'OutOfStock',
        kind: 'business',
        message: 'none left',
        httpStatus: 409,
        code: 'NONE',
        details: { sku: 'BN-12' },
      }),
    )
    expect(runs).toBe(1)
  })

  it.each([
    ['retryable', new TemporaryError('later')],
    ['foreign', new RangeError('a bug')],
  ])('never stores a %s failure', async (_, failure) => {
    const call = runOnce(settings({ replayFailures: true }), () => Promise.reject(failure))
    await expect(call).rejects.toBe(failure)
    expect(await runOnce(settings(), count)).toBe(1)
  })

  it.each([false, true])(
    'throws the work’s own error when the store fails (replayFailures: %s)',
    async replayFailures => {
      const failure = new OutOfStock('none left', { details: { amount: 1n } })
      const down = { ...store, release: failing('release').release, complete: failing('complete').complete }
      const call = runOnce(settings({ store: down, replayFailures }), () => Promise.reject(failure))
      await expect(world.play(call)).rejects.toBe(failure)
      expect(troubles.at(-1)).toBe(
        replayFailures ? 'storing the outcome of charge#1' : 'releasing the lock on charge#1',
      )
    },
  )

  it('stores the answer in spite of a hiccup', async () => {
    expect(await world.play(runOnce(settings({ store: failing('complete', 2) }), count))).toBe(1)
    expect(await runOnce(settings(), count)).toBe(1)
  })

  it('answers even when the answer cannot be stored, since it is true', async () => {
    expect(await world.play(runOnce(settings({ store: failing('complete') }), count))).toBe(1)
    expect(troubles).toEqual(Array(3).fill('storing the outcome of charge#1'))
  })

  it('runs nothing when the store cannot be asked', async () => {
    const call = runOnce(settings({ store: failing('acquire') }), count)
    await expect(call).rejects.toThrow(aTaskError(IdempotencyStoreError))
    expect(runs).toBe(0)
  })

  it('takes back a lock whose answer got lost', async () => {
    const deaf: IdempotencyStore = {
      ...store,
      async acquire(claim) {
        await store.acquire(claim)
        throw new Error('connection lost')
      },
    }
    const call = runOnce(settings({ store: deaf }), count)
    await expect(call).rejects.toThrow(aTaskError(IdempotencyStoreError))
    expect(await runOnce(settings(), count)).toBe(1)
  })

  it('does not repeat an effect whose result is too large to keep', async () => {
    const work = async () => 'x'.repeat(101 * ++runs)
    const small = settings({ maxResultBytes: 100 })
    await expect(runOnce(small, work)).rejects.toThrow(aTaskError(PayloadTooLargeError))
    await expect(runOnce(small, work)).rejects.toThrow(aTaskError(PayloadTooLargeError))
    expect(runs).toBe(1)
  })

  const circle: unknown[] = []
  circle.push(circle)
  it.each([
    ['a BigInt', 1n],
    ['a Map', new Map([[1, 2]])],
    ['a cycle', circle],
    [
      'a toJSON that throws',
      {
        toJSON() {
          throw new TemporaryError('not now')
        },
      },
    ],
  ])('does not repeat an effect whose result is %s', async (_, result) => {
    const work = async () => {
      runs += 1
      return result
    }
    for (const _attempt of [1, 2]) {
      await expect(runOnce(settings(), work)).rejects.toThrow(aTaskError(UntellableResultError))
    }
    expect(runs).toBe(1)
  })

  it.each([{ ttlSecond: 5 }, { waitSeconds: Number.NaN }, { maxResultBytes: 0 }, { replayFailures: 'yes' }])(
    'refuses the options %j',
    async options => {
      const call = runOnce({ ...settings(), ...(options as object) }, async () => 1)
      await expect(call).rejects.toThrow('options of runOnce: ')
    },
  )

  it('stores a business failure without the details that are no JSON', async () => {
    const call = () =>
      runOnce(settings({ replayFailures: true }), async () => {
        runs += 1
        throw new OutOfStock('none left', { details: { amount: 1n } })
      })
    await expect(call()).rejects.toThrow('none left')
    await expect(call()).rejects.toThrow(aTaskError(OutOfStock, { message: 'none left' }))
    expect(runs).toBe(1)
  })

  it('frees the key of a crashed owner within half a minute, however long it might have lived', async () => {
    void runOnce(settings({ remainingMs: () => 900_000 }), takes(600_000))
    await world.run(world.time() + 15_000)
    here.crash()
    here = createProcess(world)
    await world.run(world.time() + 30_001)
    expect(await runOnce(settings(), count)).toBe(1)
  })

  it('settles the key inside the work’s own transaction', async () => {
    const work = async (lock: HeldLock) => {
      await lock.completeIn(store, { paid: 5 })
      throw new TemporaryError('crashed after the commit')
    }
    await expect(runOnce(settings(), work)).rejects.toThrow('crashed after the commit')
    expect(await runOnce(settings(), count)).toEqual({ paid: 5 })
  })

  it('refuses to settle the key in a transaction when the lock is lost', async () => {
    const slow = runOnce(settings({ remainingMs: () => 1_000 }), async lock => {
      await here.sleep(10_000, never)
      await lock.completeIn(store, 'too late')
    })
    await world.run(world.time() + 1_001)
    await runOnce(settings(), count)
    await expect(world.play(slow)).rejects.toThrow(aTaskError(ConcurrentExecutionError))
    expect(await runOnce(settings(), count)).toBe(1)
  })

  it.each([
    { ttlSeconds: 0 },
    { ttlSeconds: Number.NaN },
    { lockSeconds: -1 },
    { ttlSeconds: Number.POSITIVE_INFINITY },
  ])('refuses %o', async bad => {
    await expect(runOnce(settings(bad), count)).rejects.toThrow(TypeError)
  })
})
