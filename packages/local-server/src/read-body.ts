import type { IncomingMessage } from 'node:http'

const empty = Buffer.alloc(0)

/**
 * The body of a request, or undefined if it is longer than `maxBytes`: then it is still read to its end, or the
 * refusal could not be sent. Rejects if the client leaves before its end.
 */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
  if (encoding === undefined && (length === undefined || length === '0')) return Promise.resolve(empty)
  // Listeners cost a fraction of an iterator, and every request comes by here.
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let read = 0
    request.on('data', (chunk: Buffer) => {
      read += chunk.length
      if (read <= maxBytes) chunks.push(chunk)
      else chunks.length = 0
    })
    request.once('end', () => {
      if (read > maxBytes) resolve(undefined)
      else resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))
    })
    request.once('error', reject)
    request.once('close', () => {
      if (!request.complete) reject(new Error('the client left before the end of its request'))
    })
  })
}
