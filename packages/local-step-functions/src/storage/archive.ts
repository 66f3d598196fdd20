import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { AppendFiles } from '@stepwright/local-server'

/** Short texts by key in a few files that are shared: a file for each would cost more than all the rest of a start. */
export interface Archive {
  /** The label is a line that lists show. */
  readonly add: (key: string, label: string, text: string) => void
  readonly has: (key: string) => boolean
  readonly read: (key: string) => string | undefined
  readonly labels: () => Iterable<string>
  /** Writes the files anew without these. */
  readonly remove: (keys: ReadonlySet<string>) => void
}

interface Bucket {
  readonly path: string
  /** Where each entry begins, by the number that stands for its key. */
  readonly starts: Map<number, number>
  size: number
}

/** A line `KEY LENGTH LABEL`, then the text. */
interface Entry {
  readonly key: string
  readonly label: string
  readonly textStart: number
  readonly end: number
}

const newLine = 10
const headBytes = 1024

/**
 * Where a bucket's entries begin is read when it is first asked for; what a killed process left unfinished at its end
 * is dropped then.
 */
export function openArchive(directory: string, files: AppendFiles): Archive {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const buckets = new Map<string, Bucket>()
  const load = (name: string): Bucket => {
    const known = buckets.get(name)
    if (known !== undefined) return known
    const bucket = loadBucket(join(directory, name))
    buckets.set(name, bucket)
    return bucket
  }
  // 64 files, so that all of them can stay open.
  const bucketOf = (key: string): Bucket => load(`${Number.parseInt(key.slice(0, 2), 16) & 63}.txt`)
  return {
    add: (key, label, text) => {
      const bucket = bucketOf(key)
      const entry = Buffer.from(`${key} ${Buffer.byteLength(text)} ${label}\n${text}`)
      files.append(bucket.path, entry)
      bucket.starts.set(numberOf(key), bucket.size)
      bucket.size += entry.length
    },
    has: key => bucketOf(key).starts.has(numberOf(key)),
    read: key => {
      const { path, starts } = bucketOf(key)
      const start = starts.get(numberOf(key))
      return start === undefined ? undefined : readText(path, start)
    },
    labels: function* labels() {
      for (const name of readdirSync(directory)) {
        if (!name.endsWith('.txt')) continue
        const { path, starts } = load(name)
        const content = readFileSync(path)
        for (const start of starts.values()) yield entryAt(content, start)?.label ?? ''
      }
    },
    remove: keys => {
      const changed = new Set<Bucket>()
      for (const key of keys) {
        const bucket = bucketOf(key)
        if (bucket.starts.delete(numberOf(key))) changed.add(bucket)
      }
      for (const bucket of changed) rewrite(bucket, files)
    },
  }
}

/** 48 bits of a hash tell entries apart, and take little room. */
function numberOf(key: string): number {
  return Number.parseInt(key.slice(0, 12), 16)
}

function entryAt(content: Buffer, start: number): Entry | undefined {
  const lineEnd = content.indexOf(newLine, start)
  if (lineEnd < 0) return undefined
  const line = content.toString('utf8', start, lineEnd)
  const [key = '', length = ''] = line.split(' ', 2)
  const label = line.slice(key.length + length.length + 2)
  return { key, label, textStart: lineEnd + 1, end: lineEnd + 1 + Number(length) }
}

function loadBucket(path: string): Bucket {
  const bucket: Bucket = { path, starts: new Map(), size: 0 }
  if (!existsSync(path)) return bucket
  const content = readFileSync(path)
  for (;;) {
    const entry = entryAt(content, bucket.size)
    if (entry === undefined || !(entry.end <= content.length)) break
    bucket.starts.set(numberOf(entry.key), bucket.size)
    bucket.size = entry.end
  }
  if (bucket.size < content.length) truncateSync(path, bucket.size)
  return bucket
}

function readText(path: string, start: number): string {
  const file = openSync(path, 'r')
  try {
    const head = readBytes(file, start, headBytes)
    const entry = entryAt(head, 0)
    if (entry === undefined) return ''
    return readBytes(file, start + entry.textStart, entry.end - entry.textStart).toString()
  } finally {
    closeSync(file)
  }
}

function readBytes(file: number, start: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  let at = 0
  for (let read = -1; at < length && read !== 0; at += read)
    read = readSync(file, bytes, at, length - at, start + at)
  return bytes.subarray(0, at)
}

function rewrite(bucket: Bucket, files: AppendFiles): void {
  files.release(bucket.path)
  const before = readFileSync(bucket.path)
  const pieces: Buffer[] = []
  let size = 0
  for (const [number, start] of bucket.starts) {
    const end = entryAt(before, start)?.end ?? start
    pieces.push(before.subarray(start, end))
    bucket.starts.set(number, size)
    size += end - start
  }
  bucket.size = size
  writeFileSync(`${bucket.path}.new`, Buffer.concat(pieces), { mode: 0o600 })
  renameSync(`${bucket.path}.new`, bucket.path)
}
