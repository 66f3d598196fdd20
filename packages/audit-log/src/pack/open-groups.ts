import { maxTextBytes } from './pack-text.ts'
import type { PackedEntry } from './packed-entry.ts'

/** Entries of one execution that become one block. */
export interface Group {
  readonly executionId: string
  readonly entries: readonly PackedEntry[]
}

interface OpenGroup extends Group {
  readonly entries: PackedEntry[]
  bytes: number
}

/** Sorts entries by their executions until there are enough for a block. */
export interface OpenGroups {
  /** Gives groups that are full, or have to make room. */
  add(executionId: string, entry: PackedEntry): readonly Group[]
  rest(): Iterable<Group>
}

const none: readonly Group[] = []

export function createOpenGroups(blockSize: number): OpenGroups {
  const open = new Map<string, OpenGroup>()
  let held = 0

  function close(group: OpenGroup): Group {
    open.delete(group.executionId)
    held -= group.entries.length
    return group
  }

  return {
    add(executionId, entry) {
      const bytes = Buffer.byteLength(entry.line) + 1
      const before = open.get(executionId)
      const isFull =
        before !== undefined && (before.entries.length === blockSize || before.bytes + bytes > maxTextBytes)
      const full = isFull ? [close(before)] : none
      const group = open.get(executionId) ?? { executionId, entries: [], bytes: 0 }
      open.set(executionId, group)
      group.entries.push(entry)
      group.bytes += bytes
      held += 1
      // Of many executions at once, those that began first make room.
      const [oldest] = open.size > 1 && held >= blockSize * 2 ? open.values() : []
      return oldest ? [...full, close(oldest)] : full
    },
    rest: () => open.values(),
  }
}
