import type { IncomingMessage } from 'node:http'

/**
 * The body of a request, or undefined if it is longer than `maxBytes`: then it is still read to its end, or the
 * refusal could not be sent. Rejects if the client leaves before its end.
 */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  // Listeners cost a fraction of an iterator, and every request comes by here.
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    request.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length <= maxBytes) chunks.push(chunk)
      else chunks.length = 0
    })
    request.once('end', () => {
      if (length > maxBytes) resolve(undefined)
      else resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))
    })
    request.once('error', reject)
    request.once('close', () => {
      if (!request.complete) reject(new Error('the client left before the end of its request'))
    })
  })
}
