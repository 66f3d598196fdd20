import type { NewAuditEntries, NewAuditEntry } from './audit-entry.ts'

export async function* oneByOne(all: NewAuditEntries): AsyncGenerator<NewAuditEntry> {
  for await (const some of all) {
    if (isMany(some)) yield* some
    else yield some
  }
}

export function isMany(some: NewAuditEntry | readonly NewAuditEntry[]): some is readonly NewAuditEntry[] {
  return Array.isArray(some)
}
