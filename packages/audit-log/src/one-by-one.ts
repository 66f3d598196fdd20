import type { NewAuditEntries, NewAuditEntry } from './audit-entry.ts'

export async function* oneByOne(all: NewAuditEntries): AsyncGenerator<NewAuditEntry> {
  for await (const some of all) {
    if (isMany(some)) yield* some
    else yield some
  }
}

export function isMany<T extends object>(some: T | Iterable<T>): some is Iterable<T> {
  return Symbol.iterator in some
}
