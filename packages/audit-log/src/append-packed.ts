import { type Appending, type AppendingOptions, createWriters } from './appending.ts'
import type { NewAuditEntry } from './audit-entry.ts'
import { forEachBounded } from './for-each-bounded.ts'
import { maxTextBytes } from './pack/pack-text.ts'
import { createPackWriter } from './pack/pack-writer.ts'
import { type PackedEntry, toPackedEntry } from './pack/packed-entry.ts'

/** Entries of one execution that become one block. */
interface Group {
  readonly executionId: string
  readonly entries: PackedEntry[]
  bytes: number
}

/** Blocks that hold their entries: while one is stored, the next is made. */
const maxGroupsAtWork = 3

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
  async function* toGroups(
    all: Iterable<NewAuditEntry> | AsyncIterable<NewAuditEntry>,
    counted: () => void,
  ): AsyncGenerator<Group> {
    const open = new Map<string, Group>()
    let held = 0
    for await (const entry of all) {
      const packed = toPacked(entry)
      const bytes = Buffer.byteLength(packed.line) + 1
      const { executionId } = entry
      let group = open.get(executionId)
      if (group && (group.entries.length === blockSize || group.bytes + bytes > maxTextBytes)) {
        yield group
        held -= group.entries.length
        group = undefined
      }
      group ??= { executionId, entries: [], bytes: 0 }
      open.set(executionId, group)
      group.entries.push(packed)
      group.bytes += bytes
      held += 1
      counted()
      // Of many executions at once, those that began first make room.
      if (open.size === 1 || held < blockSize * 2) continue
      const [oldest] = open.values()
      if (oldest === undefined) continue
      open.delete(oldest.executionId)
      held -= oldest.entries.length
      yield oldest
    }
    yield* open.values()
  }

  return {
    append: async entry => writerOf(entry.executionId).append(toPacked(entry)),
    async appendAll(all) {
      let count = 0
      const groups = toGroups(all, () => {
        count += 1
      })
      await forEachBounded(groups, { limit: maxGroupsAtWork }, ({ executionId, entries }) =>
        writerOf(executionId).appendPack(entries),
      )
      return count
    },
  }
}
