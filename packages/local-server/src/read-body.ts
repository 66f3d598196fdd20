import type { IncomingMessage } from 'node:http'

/**
 * The body of a request, or undefined if it is longer than `maxBytes`: then it is still read to its end, or the
 * refusal could not be sent.
 */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length <= maxBytes) chunks.push(chunk)
    else chunks.length = 0
  }
  return length <= maxBytes ? Buffer.concat(chunks) : undefined
}
