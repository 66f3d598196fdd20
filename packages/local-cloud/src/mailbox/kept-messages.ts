import { mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createAppendFiles } from '@stepwright/local-server'
import type { Mail } from './to-mail.ts'

export interface KeptMessages {
  readonly messages: readonly Mail[]
  add(mail: Mail): void
  clear(): void
  close(): void
}

/** In memory and, with a directory, as lines of a file: a message that was added is there after a kill. */
export function openKeptMessages(dataDirectory: string | undefined): KeptMessages {
  const path = dataDirectory === undefined ? undefined : fileIn(dataDirectory)
  const files = createAppendFiles()
  const messages = path === undefined ? [] : readMessages(path)
  return {
    messages,
    add(mail) {
      if (path !== undefined) files.append(path, `${JSON.stringify(mail)}\n`, { sync: true })
      messages.push(mail)
    },
    clear() {
      if (path !== undefined) truncateSync(path)
      messages.length = 0
    },
    close: files.releaseAll,
  }
}

function fileIn(dataDirectory: string): string {
  mkdirSync(dataDirectory, { recursive: true, mode: 0o700 })
  const path = join(dataDirectory, 'messages.jsonl')
  writeFileSync(path, '', { flag: 'a', mode: 0o600 })
  return path
}

/** What a kill left of the last line was never answered, and is cut off. */
function readMessages(path: string): Mail[] {
  const content = readFileSync(path)
  const end = content.lastIndexOf('\n') + 1
  if (end < content.length) truncateSync(path, end)
  const lines = content.subarray(0, end).toString().split('\n').slice(0, -1)
  return lines.map(line => JSON.parse(line) as Mail)
}
