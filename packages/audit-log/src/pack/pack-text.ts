import { gunzip, gzip } from 'node:zlib'

/** No block holds more text than this, so that nothing that decompresses to more is read. */
export const maxTextBytes = 1_048_576

/** As quick as the quickest level, and smaller. */
const level = 3

export function compressText(text: Uint8Array): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    gzip(text, { level }, (error, compressed) => (error ? reject(error) : resolve(compressed)))
  })
}

/** Undefined for what is no gzip, or too large. */
export function decompressText(compressed: Uint8Array): Promise<Buffer | undefined> {
  return new Promise(resolve => {
    gunzip(compressed, { maxOutputLength: maxTextBytes }, (error, text) => resolve(error ? undefined : text))
  })
}
