import { readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'

export interface TextFile {
  readonly text: string
  /** Where the first byte that is not UTF-8 is in the text, which has U+FFFD there; undefined where there is none. */
  readonly notUtf8At: number | undefined
}

/** Reads a file as UTF-8, and says whether it is. */
export function readTextFile(file: string): TextFile {
  const bytes = readFileSync(file)
  try {
    return { text: decode(bytes, true), notUtf8At: undefined }
  } catch {
    const text = decode(bytes, false)
    return { text, notUtf8At: firstDifference(bytes, Buffer.from(text)) }
  }
}

/** Replaces a file as a whole: nobody reads half of it. Its mode stays, and a link still leads to it. */
export function replaceTextFile(file: string, text: string): void {
  const target = realpathSync(file)
  const unfinished = `${target}.${process.pid}.new`
  try {
    writeFileSync(unfinished, text, { mode: statSync(target).mode, flag: 'wx' })
    renameSync(unfinished, target)
  } finally {
    rmSync(unfinished, { force: true })
  }
}

function decode(bytes: Uint8Array, fatal: boolean): string {
  return new TextDecoder('utf-8', { fatal, ignoreBOM: true }).decode(bytes)
}

/** The length of the text before the first byte that was replaced. */
function firstDifference(bytes: Buffer, decoded: Buffer): number {
  const at = bytes.findIndex((byte, index) => byte !== decoded[index])
  return bytes
    .subarray(0, at)
    .toString('utf8')
    .replace(/(?<!\uFFFD)\uFFFD+$/, '').length
}
