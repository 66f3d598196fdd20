import { createAuditLog } from '../audit-log.ts'
import type { AuditProblem } from '../audit-problem.ts'
import { createMemoryAuditStore } from '../memory-audit-store.ts'
import type { VerifyOptions, VerifyResult } from '../verify-execution.ts'
import { createSnapshotStore, keys, type Snapshot, success, takeSnapshot } from './audit-trail.ts'

const writers = ['a', 'b', 'c'] as const
const entriesPerWriter = 16

export const trailEntries: number = writers.length * entriesPerWriter
export const trailBlocks: number = trailEntries / 4

/** Where an entry of the trail is: the items are in the order of the chains. */
export function placeOf(item: number): Partial<AuditProblem> {
  const writer = writers[Math.floor(item / entriesPerWriter)]
  return { itemIndex: item, attempt: 1, sequence: item % entriesPerWriter, ...(writer && { writer }) }
}

/** A trail of three writers with blocks of four entries, to be tampered with. */
export interface SealedTrail {
  readonly original: Snapshot
  /** What is found in a copy that was tampered with. */
  verify(tamper: (trail: Snapshot) => void, options?: VerifyOptions): Promise<VerifyResult>
}

export async function createSealedTrail(): Promise<SealedTrail> {
  const store = createMemoryAuditStore()
  for (const [at, writer] of writers.entries()) {
    const options = { store, keys, blockSize: 4, newWriter: () => writer, ttlSeconds: 1e9 }
    const items = Array.from({ length: entriesPerWriter }, (_, n) => at * entriesPerWriter + n)
    const { append } = createAuditLog(options)
    await Promise.all(
      items.map(item =>
        append(success(item, item % 3 === 0 ? { logType: 'BUSINESS_ERROR', error: { item } } : {})),
      ),
    )
  }
  await createAuditLog({ store, keys }).seal('run')
  const original = await takeSnapshot(store, 'run')
  return {
    original,
    verify(tamper, options) {
      const trail = structuredClone(original)
      tamper(trail)
      return createAuditLog({ store: createSnapshotStore(trail), keys }).verify('run', options)
    },
  }
}
