import type { NewAuditEntry } from '../audit-entry.ts'
import { type AuditKeys, parseAuditKeys } from '../audit-keys.ts'
import type { AuditStore } from '../audit-store.ts'
import { type PackRecord, toHead } from '../pack/pack-record.ts'
import type { SealRecord } from '../records.ts'

export const keys: AuditKeys = parseAuditKeys(`k1:${Buffer.alloc(32, 7).toString('base64')}`)

export function success(itemIndex: number, given: Partial<NewAuditEntry> = {}): NewAuditEntry {
  return {
    executionId: 'run',
    itemIndex,
    logType: 'SUCCESS',
    timestamp: '2024-08-02T12:34:56.789Z',
    userRecord: { ユーザーID: `U${String(itemIndex).padStart(5, '0')}` },
    processResult: { updated: 1 },
    ...given,
  }
}

/** All records of one execution, to be tampered with. */
export interface Snapshot {
  /** In the order of their keys, whatever they hold. */
  packs: PackRecord[]
  seal: SealRecord | undefined
}

export async function takeSnapshot(store: AuditStore, executionId: string): Promise<Snapshot> {
  return {
    packs: await all(store.readPacks({ executionId })),
    seal: await store.readSeal(executionId),
  }
}

/** A store that holds just these records. */
export function createSnapshotStore({ packs, seal }: Snapshot): AuditStore {
  const refuse = (): Promise<never> => Promise.reject(new Error('a snapshot takes nothing new'))
  return {
    putSeal: refuse,
    putPack: refuse,
    async *readPacks({ after = '' }) {
      for (const pack of packs) if (pack.packKey > after) yield pack
    },
    async *readPackHeads() {
      yield* packs.map(toHead)
    },
    readSeal: async (_, generation = 1) => (generation === 1 ? seal : undefined),
  }
}

export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}

/** Another value of the same type. */
export function otherThan(value: unknown): unknown {
  if (typeof value === 'number') return value + 1
  if (typeof value === 'string') return value.endsWith('x') ? `${value}y` : `${value.slice(0, -1)}x`
  if (value instanceof Uint8Array) return value.map(byte => byte ^ 1)
  return Array.isArray(value) ? value.slice(1) : 1
}
