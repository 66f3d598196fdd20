import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createAppendFiles } from '@stepwright/local-server'
import type { Delivery, Message } from '../queue/message.ts'
import {
  deduplicationMs,
  type Queue,
  type QueueContents,
  type QueueHeader,
  type QueueListener,
  type Sent,
  toSent,
} from '../queue/queue.ts'

/** Where queues outlive the process: a file each, of all that happened since it was last written anew. */
export interface QueueLog {
  load(): QueueContents[]
  listenerOf(name: string, contents: () => Queue | undefined): QueueListener
  forget(name: string): void
  close(): void
}

type Entry =
  | { readonly header: QueueHeader }
  | { readonly sent: Message; readonly key?: string }
  | { readonly delivered: string; readonly delivery: Delivery }
  | { readonly removed: string }
  | { readonly purged: true }
  | { readonly deduplicated: readonly [string, Sent] }

/** A file is written anew when so many of its lines say nothing any more, and at least as many as do. */
const maxSpentLines = 10_000

const nothing: QueueListener = {
  header: () => undefined,
  sent: () => undefined,
  delivered: () => undefined,
  removed: () => undefined,
  purged: () => undefined,
}

export const memoryLog: QueueLog = {
  load: () => [],
  listenerOf: () => nothing,
  forget: () => undefined,
  close: () => undefined,
}

export function openQueueLog(directory: string, now: () => number): QueueLog {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const files = createAppendFiles()
  const fileOf = (name: string): string => join(directory, `${name}.jsonl`)

  const rewrite = (contents: QueueContents): number => {
    const file = fileOf(contents.header.name)
    const entries: Entry[] = [{ header: contents.header }]
    for (const message of contents.messages) entries.push({ sent: message })
    for (const entry of contents.deduplicated) {
      if (entry[1].sentMs > now() - deduplicationMs) entries.push({ deduplicated: entry })
    }
    writeFileSync(`${file}.new`, entries.map(toLine).join(''), { mode: 0o600 })
    files.release(file)
    renameSync(`${file}.new`, file)
    return entries.length
  }

  return {
    load() {
      const names = readdirSync(directory).filter(name => name.endsWith('.jsonl'))
      return names.flatMap(name => {
        const contents = replay(readFileSync(join(directory, name), 'utf8'))
        if (contents !== undefined) rewrite(contents)
        return contents === undefined ? [] : [contents]
      })
    },
    listenerOf(name, queue) {
      let spent = 0
      const write = (entry: Entry): void => {
        const current = queue()
        if (current !== undefined && spent >= Math.max(maxSpentLines, current.size)) {
          const { header } = current
          rewrite({ header, messages: current.messages(), deduplicated: current.deduplicated() })
          spent = 0
        }
        files.append(fileOf(name), toLine(entry))
      }
      return {
        header: header => {
          spent += 1
          write({ header })
        },
        sent: (message, key) => write({ sent: message, ...(key !== undefined && { key }) }),
        delivered: (id, delivery) => {
          spent += 1
          write({ delivered: id, delivery })
        },
        removed: id => {
          spent += 2
          write({ removed: id })
        },
        purged: () => {
          write({ purged: true })
          spent = maxSpentLines // the next line comes into a new file
        },
      }
    },
    forget(name) {
      files.release(fileOf(name))
      rmSync(fileOf(name), { force: true })
    },
    close: files.releaseAll,
  }
}

function toLine(entry: Entry): string {
  return `${JSON.stringify(entry)}\n`
}

/** Half a line, of a process that was killed while it wrote, was promised to nobody. */
function replay(text: string): QueueContents | undefined {
  let header: QueueHeader | undefined
  const messages = new Map<string, Message>()
  const deduplicated = new Map<string, Sent>()
  for (const line of text.split('\n').slice(0, -1)) {
    const entry = JSON.parse(line) as Entry
    if ('header' in entry) header = entry.header
    else if ('sent' in entry) {
      messages.set(entry.sent.id, entry.sent)
      if (entry.key !== undefined) deduplicated.set(entry.key, toSent(entry.sent))
    } else if ('removed' in entry) messages.delete(entry.removed)
    else if ('purged' in entry) {
      messages.clear()
      deduplicated.clear()
    } else if ('deduplicated' in entry) deduplicated.set(...entry.deduplicated)
    else {
      const message = messages.get(entry.delivered)
      if (message) messages.set(message.id, { ...message, delivery: entry.delivery })
    }
  }
  return header && { header, messages: [...messages.values()], deduplicated }
}
