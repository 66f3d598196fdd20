import { closeSync, fdatasyncSync, fstatSync, ftruncateSync, openSync, writeSync } from 'node:fs'

/** Files that only grow, of which no more than a few are open at a time. */
export interface AppendFiles {
  /** Writes all of it at the end of the file, or nothing: what a full disk cut off is taken back. */
  readonly append: (path: string, text: string | Buffer, options?: { readonly sync?: boolean }) => void
  /** Lets go of a file before it is moved or deleted. */
  readonly release: (path: string) => void
  readonly releaseAll: () => void
}

export interface AppendFilesOptions {
  /** @default 128 */
  readonly maxOpen?: number
  /** Writes as much as it can and says how many bytes that was. @default fs.writeSync */
  readonly write?: (file: number, bytes: Uint8Array) => number
}

export function createAppendFiles({
  maxOpen = 128,
  write = writeSync,
}: AppendFilesOptions = {}): AppendFiles {
  const open = new Map<string, { readonly file: number }>()
  const release = (path: string): void => {
    const opened = open.get(path)
    if (opened === undefined) return
    open.delete(path)
    closeSync(opened.file)
  }
  const take = (path: string): { readonly file: number } => {
    const known = open.get(path)
    if (known !== undefined) {
      // The one used last is the last to be closed.
      open.delete(path)
      open.set(path, known)
      return known
    }
    const [oldest] = open.keys()
    if (open.size >= maxOpen && oldest !== undefined) release(oldest)
    const opened = { file: openSync(path, 'a', 0o600) }
    open.set(path, opened)
    return opened
  }
  return {
    append: (path, text, { sync = false } = {}) => {
      const { file } = take(path)
      const bytes = typeof text === 'string' ? Buffer.from(text) : text
      let written = 0
      try {
        while (written < bytes.length) written += write(file, bytes.subarray(written))
        if (sync) fdatasyncSync(file)
      } catch (error) {
        if (written > 0) takeBack(file, written)
        release(path)
        throw error
      }
    },
    release,
    releaseAll: () => {
      for (const path of [...open.keys()]) release(path)
    },
  }
}

function takeBack(file: number, written: number): void {
  try {
    ftruncateSync(file, fstatSync(file).size - written)
  } catch {
    // Half a line is dropped when the file is read.
  }
}
