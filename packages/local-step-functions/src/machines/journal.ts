import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'

/** A file of JSON lines that only grows. What was appended is on disk when the call returns. */
export interface Journal {
  readonly append: (entry: unknown) => void
  readonly read: () => readonly unknown[]
  /** Lets go of the file; a later append opens it again. */
  readonly close: () => void
  readonly remove: () => void
}

export interface Journals {
  readonly open: (name: string) => Journal
  readonly names: () => readonly string[]
}

/** Journals as files in a directory: they survive the process, whatever ends it. */
export function createFileJournals(directory: string): Journals {
  mkdirSync(directory, { recursive: true })
  return {
    open: name => openFileJournal(join(directory, `${name}.jsonl`)),
    names: () =>
      readdirSync(directory)
        .filter(file => file.endsWith('.jsonl'))
        .map(file => file.slice(0, -'.jsonl'.length)),
  }
}

function openFileJournal(path: string): Journal {
  let file: number | undefined
  dropHalfLine(path)
  return {
    append: entry => {
      file ??= openSync(path, 'a')
      writeSync(file, `${JSON.stringify(entry)}\n`)
    },
    read: () => (existsSync(path) ? parseLines(readFileSync(path, 'utf8')) : []),
    close: () => {
      if (file !== undefined) closeSync(file)
      file = undefined
    },
    remove: () => {
      if (file !== undefined) closeSync(file)
      file = undefined
      rmSync(path, { force: true })
    },
  }
}

/** A process that ended while it wrote leaves half a line: that entry never happened, and the next must not join it. */
function dropHalfLine(path: string): void {
  if (!existsSync(path)) return
  const content = readFileSync(path)
  const end = content.lastIndexOf('\n') + 1
  if (end < content.length) truncateSync(path, end)
}

function parseLines(text: string): unknown[] {
  const lines = text.split('\n')
  lines.pop()
  return lines.map(line => JSON.parse(line))
}

/** Journals that last as long as the process. */
export function createMemoryJournals(): Journals {
  const journals = new Map<string, unknown[]>()
  return {
    open: name => {
      const entries = journals.get(name) ?? []
      journals.set(name, entries)
      return {
        append: entry => entries.push(entry),
        read: () => entries,
        close: () => undefined,
        remove: () => journals.delete(name),
      }
    },
    names: () => [...journals.keys()],
  }
}
