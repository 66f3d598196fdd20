import { ThrottlingException } from '@stepwright/errors'
import { type AuditLog, createAuditLog } from '../audit-log.ts'
import type { AuditStore } from '../audit-store.ts'
import { keys, success } from './audit-trail.ts'

export interface SoakOptions {
  readonly store: AuditStore
  readonly entries: number
  readonly writers: number
  readonly random: () => number
  /** How likely a call to the store ends the writer's life. */
  readonly crashRate: number
  /** How likely a call to the store is refused. */
  readonly throttleRate: number
}

export interface SoakResult {
  readonly crashes: number
  readonly throttled: number
}

/**
 * Many writers append their share of an execution's items. Each is killed now and then, in the middle of
 * whatever it does, and its successor appends again all that was not acknowledged.
 */
export async function soak(options: SoakOptions): Promise<SoakResult> {
  const { entries, writers } = options
  const counts = { crashes: 0, throttled: 0 }
  const shares = Array.from({ length: writers }, (_, writer) =>
    Array.from({ length: Math.ceil((entries - writer) / writers) }, (_, n) => n * writers + writer),
  )
  await Promise.all(
    shares.map(async share => {
      let life = startLife(options, counts)
      for (let start = 0; start < share.length; start += 500) {
        let left = share.slice(start, start + 500)
        while (left.length > 0) {
          const outcomes = await Promise.allSettled(left.map(item => life.log.append(success(item))))
          left = left.filter((_, index) => outcomes[index]?.status === 'rejected')
          if (life.isDead()) life = startLife(options, counts)
        }
      }
    }),
  )
  return counts
}

interface Life {
  readonly log: AuditLog
  isDead(): boolean
}

function startLife({ store, random, crashRate, throttleRate }: SoakOptions, counts: SoakCounts): Life {
  let dead = false

  /** Some of it may happen before the writer dies, or all of it without the writer getting to know. */
  async function risk<T>(whole: () => Promise<T>, part: () => Promise<unknown>): Promise<T> {
    if (dead) throw new Error('a dead writer writes nothing')
    const fate = random()
    if (fate < crashRate) {
      dead = true
      counts.crashes += 1
      const when = random()
      if (when < 0.3) await part()
      else if (when < 0.7) await whole()
      throw new Error('crash')
    }
    if (fate < crashRate + throttleRate) {
      counts.throttled += 1
      throw new ThrottlingException('slow down')
    }
    return whole()
  }

  const mortal: AuditStore = {
    ...store,
    putPack: pack =>
      risk(
        () => store.putPack(pack),
        async () => undefined,
      ),
  }
  return { log: createAuditLog({ store: mortal, keys, blockSize: 50 }), isDead: () => dead }
}

interface SoakCounts {
  crashes: number
  throttled: number
}
