import { createPackLines, type PackLines } from './pack-lines.ts'
import { maxTextBytes } from './pack-text.ts'
import type { PackedEntry } from './packed-entry.ts'

/** Entries of one execution that become one block. */
export interface Group {
  readonly executionId: string
  readonly lines: PackLines
}

/** Sorts entries by their executions until there are enough for a block. */
export interface OpenGroups {
  /** Gives groups that are full, or have to make room. */
  add(executionId: string, entry: PackedEntry): readonly Group[]
  rest(): Iterable<Group>
}

const none: readonly Group[] = []

export function createOpenGroups(blockSize: number): OpenGroups {
  const open = new Map<string, Group>()
  let held = 0

  function close(group: Group): Group {
    open.delete(group.executionId)
    held -= group.lines.count
    return group
  }

  return {
    add(executionId, entry) {
      const before = open.get(executionId)
      const isFull =
        before !== undefined && (before.lines.count === blockSize || !hasRoom(before.lines, entry))
      const full = isFull ? [close(before)] : none
      const group = open.get(executionId) ?? { executionId, lines: createPackLines() }
      open.set(executionId, group)
      group.lines.add(entry)
      held += 1
      // Of many executions at once, those that began first make room.
      const [oldest] = open.size > 1 && held >= blockSize * 2 ? open.values() : []
      return oldest ? [...full, close(oldest)] : full
    },
    rest: () => open.values(),
  }
}

function hasRoom({ byteLength }: PackLines, { line }: PackedEntry): boolean {
  const room = maxTextBytes - byteLength - 1
  // At most three bytes a character: most lines need no counting.
  return line.length * 3 <= room || Buffer.byteLength(line) <= room
}
