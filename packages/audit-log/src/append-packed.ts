import { type Appending, type AppendingOptions, createWriters } from './appending.ts'
import type { NewAuditEntries, NewAuditEntry } from './audit-entry.ts'
import { forEachBounded } from './for-each-bounded.ts'
import { isMany } from './one-by-one.ts'
import { createOpenGroups, type Group } from './pack/open-groups.ts'
import { createPackWriter } from './pack/pack-writer.ts'
import { type PackedEntry, toPackedEntry } from './pack/packed-entry.ts'

/** While one is stored, the next is made. */
const maxGroupsAtWork = 2

/** Many entries are one item. */
export function appendPacked({ blockSize, newWriter, toSafe, ...options }: AppendingOptions): Appending {
  const writerOf = createWriters(executionId =>
    createPackWriter({ ...options, executionId, writer: newWriter(), blockSize }),
  )

  function toPacked(given: NewAuditEntry): PackedEntry {
    const { entry, fields } = toSafe(given)
    return toPackedEntry(entry, fields)
  }

  /** The same groups for the same entries in the same order, so that a call that is repeated stores nothing new. */
  async function* toGroups(all: NewAuditEntries, counted: () => void): AsyncGenerator<Group> {
    const open = createOpenGroups(blockSize)
    for await (const some of all) {
      for (const entry of isMany(some) ? some : [some]) {
        counted()
        const full = open.add(entry.executionId, toPacked(entry))
        if (full.length > 0) yield* full
      }
    }
    yield* open.rest()
  }

  return {
    append: async entry => writerOf(entry.executionId).append(toPacked(entry)),
    async appendAll(all) {
      let count = 0
      const groups = toGroups(all, () => {
        count += 1
      })
      await forEachBounded(groups, { limit: maxGroupsAtWork }, ({ executionId, lines }) =>
        writerOf(executionId).appendPack(lines),
      )
      return count
    },
  }
}
