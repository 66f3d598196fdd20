import { closeSync, mkdirSync, openSync, write } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { ObjectWriter } from '../src/index.ts'

const writeAt = promisify(write)

/** Writes objects as files below a directory. */
export function createDirectoryWriter(directory: string): ObjectWriter {
  const made = new Set<string>()
  return {
    async put(key, body) {
      const path = join(directory, key)
      const parent = dirname(path)
      if (!made.has(parent)) mkdirSync(parent, { recursive: true })
      made.add(parent)
      // Opening and closing take less time here than a way to another thread and back.
      const file = openSync(path, 'w')
      try {
        for (let at = 0; at < body.length; ) {
          at += (await writeAt(file, body, at, body.length - at)).bytesWritten
        }
      } finally {
        closeSync(file)
      }
    },
  }
}
