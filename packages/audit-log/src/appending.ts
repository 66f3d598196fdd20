import type { AuditEntry, AuditFields, NewAuditEntries, NewAuditEntry } from './audit-entry.ts'
import type { AuditKeys } from './audit-keys.ts'
import type { AuditStore } from './audit-store.ts'

/** An entry whose secrets are gone. */
export interface SafeEntry {
  readonly entry: AuditEntry
  /** What of it is to be kept. */
  readonly fields: AuditFields
}

/** A way to store entries. */
export interface Appending {
  append(entry: NewAuditEntry): Promise<void>
  appendAll(entries: NewAuditEntries): Promise<number>
}

export interface AppendingOptions {
  readonly store: AuditStore
  readonly keys: AuditKeys
  readonly blockSize: number
  readonly ttlSeconds: number | undefined
  readonly newWriter: () => string
  /** @throws DataValidationError for what could not be stored */
  readonly toSafe: (entry: NewAuditEntry) => SafeEntry
}

const maxWriters = 100

/** A writer for each execution; those that were used last are kept, and those that have something to store. */
export function createWriters<Writer extends { readonly idle: boolean }>(
  create: (executionId: string) => Writer,
): (executionId: string) => Writer {
  const writers = new Map<string, Writer>()
  return executionId => {
    const writer = writers.get(executionId) ?? create(executionId)
    // Last used is last in the map.
    writers.delete(executionId)
    writers.set(executionId, writer)
    for (const [id, { idle }] of writers) {
      if (writers.size <= maxWriters) break
      if (idle) writers.delete(id)
    }
    return writer
  }
}
