import { hash } from 'node:crypto'
import { createIndex } from './item-runs.ts'
import { compareEntries, hashBytes, type PackedEntry } from './packed-entry.ts'

/**
 * The text of a block in the making, and what is known of it. Its lines are bytes from the start: thousands of strings
 * that wait for each other outlive many collections of the heap, and cost more than all else that is done to them.
 */
export interface PackLines {
  add(entry: PackedEntry): void
  readonly count: number
  /** With a line feed behind each line. */
  readonly byteLength: number
  /** Whether each comes after the one before, so that the text is that of a block. */
  readonly isSorted: boolean
  readonly first: PackedEntry | undefined
  readonly last: PackedEntry | undefined
  readonly lastTime: string
  text(): Buffer
  /** The start of each line's SHA-256. */
  hashes(): Buffer
  index(): string
  /** Nobody may use its text any more: its memory becomes that of another. */
  release(): void
}

/** Memory for new texts would cost a collection of the whole heap every few blocks. */
const spareTexts: Buffer[] = []
const maxSpareTexts = 4

export function toPackLines(entries: Iterable<PackedEntry>): PackLines {
  const lines = createPackLines()
  for (const entry of entries) lines.add(entry)
  return lines
}

export function createPackLines(): PackLines {
  let text: Buffer = spareTexts.pop() ?? Buffer.allocUnsafeSlow(1024)
  let hashes: Buffer = Buffer.allocUnsafeSlow(8 * hashBytes)
  const index = createIndex()
  const lines: { -readonly [Name in keyof PackLines]: PackLines[Name] } = {
    count: 0,
    byteLength: 0,
    isSorted: true,
    first: undefined,
    last: undefined,
    lastTime: '',
    add(entry) {
      const { line, timestamp } = entry
      const start = lines.byteLength
      // At most three bytes a character.
      text = withRoom(text, start, line.length * 3 + 1)
      const end = start + text.write(line, start)
      lines.byteLength = text.writeUInt8(lineFeed, end)
      hashes = withRoom(hashes, lines.count * hashBytes, hashBytes)
      writeHash(text.subarray(start, end), hashes, lines.count * hashBytes)
      index.add(entry)
      if (lines.last && compareEntries(lines.last, entry) >= 0) lines.isSorted = false
      if (timestamp > lines.lastTime) lines.lastTime = timestamp
      lines.first ??= entry
      lines.last = entry
      lines.count += 1
    },
    text: () => text.subarray(0, lines.byteLength - 1),
    hashes: () => hashes.subarray(0, lines.count * hashBytes),
    index: index.toText,
    release() {
      if (spareTexts.length < maxSpareTexts) spareTexts.push(text)
      text = Buffer.alloc(0)
    },
  }
  return lines
}

/** The same for lines that nobody can trust. */
export function hashLines(lines: readonly string[]): Buffer {
  const hashes = Buffer.allocUnsafe(lines.length * hashBytes)
  for (const [at, line] of lines.entries()) writeHash(line, hashes, at * hashBytes)
  return hashes
}

function writeHash(line: string | Uint8Array, into: Buffer, at: number): void {
  into.write(hash('sha256', line, 'binary'), at, hashBytes, 'latin1')
}

const lineFeed = 0x0a

function withRoom(bytes: Buffer, used: number, more: number): Buffer {
  if (used + more <= bytes.byteLength) return bytes
  const larger = Buffer.allocUnsafeSlow(Math.max(bytes.byteLength * 2, used + more))
  bytes.copy(larger, 0, 0, used)
  return larger
}
