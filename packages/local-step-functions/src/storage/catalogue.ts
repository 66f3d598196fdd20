import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { AppendFiles } from '@stepwright/local-server'

/** A few things by their ARN, all of them in memory: state machines, activities. */
export interface Catalogue<T> {
  readonly get: (arn: string) => T | undefined
  readonly values: () => readonly T[]
  readonly put: (arn: string, value: T) => void
  /** Whether it was there. */
  readonly remove: (arn: string) => boolean
}

export type ReportProblem = (message: string) => void

export function createMemoryCatalogue<T>(): Catalogue<T> {
  return catalogueOf(new Map())
}

function catalogueOf<T>(things: Map<string, T>): Catalogue<T> {
  return {
    get: arn => things.get(arn),
    values: () => [...things.values()],
    put: (arn, value) => {
      things.set(arn, value)
    },
    remove: arn => things.delete(arn),
  }
}

type Entry<T> = { readonly arn: string; readonly value: T } | { readonly arn: string }

/** Keeps every change as a line of a file; the file is written anew when most of it is history. */
export function openFileCatalogue<T>(
  path: string,
  files: AppendFiles,
  onProblem: ReportProblem,
): Catalogue<T> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const things = new Map<string, T>()
  const memory = catalogueOf(things)
  let lines = 0
  for (const entry of readEntries<T>(path, onProblem)) {
    lines += 1
    if ('value' in entry) memory.put(entry.arn, entry.value)
    else memory.remove(entry.arn)
  }
  if (lines > 2 * things.size + 100) {
    const entries = [...things].map(([arn, value]) => ({ arn, value }))
    writeAnew(path, entries)
  }
  return {
    ...memory,
    put: (arn, value) => {
      files.append(path, `${JSON.stringify({ arn, value })}\n`, { sync: true })
      memory.put(arn, value)
    },
    remove: arn => {
      if (memory.get(arn) === undefined) return false
      files.append(path, `${JSON.stringify({ arn })}\n`, { sync: true })
      return memory.remove(arn)
    },
  }
}

/** Lines that cannot be read are passed over; a copy of the file is set aside for whoever wants to look. */
function readEntries<T>(path: string, onProblem: ReportProblem): Entry<T>[] {
  if (!existsSync(path)) return []
  const lines = readFileSync(path, 'utf8').split('\n')
  const half = lines.pop()
  const entries: Entry<T>[] = []
  let unreadable = 0
  for (const line of lines) {
    try {
      entries.push(JSON.parse(line))
    } catch {
      unreadable += 1
    }
  }
  if (unreadable > 0) {
    copyFileSync(path, `${path}.broken`)
    onProblem(`${path} has lines that cannot be read (${unreadable}): a copy is in ${path}.broken`)
  }
  if (unreadable > 0 || half !== '') {
    writeAnew(path, entries)
  }
  return entries
}

function writeAnew(path: string, entries: readonly unknown[]): void {
  writeFileSync(`${path}.new`, entries.map(entry => `${JSON.stringify(entry)}\n`).join(''), { mode: 0o600 })
  renameSync(`${path}.new`, path)
}
