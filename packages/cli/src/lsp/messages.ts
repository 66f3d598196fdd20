/** A message of the Language Server Protocol, as JSON-RPC has it. */
export interface Message {
  readonly id?: number | string
  readonly method?: string
  readonly params?: unknown
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string }
}

/** Puts a message into its frame. */
export function encodeMessage(message: Message): Buffer {
  const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }))
  return Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body])
}

const headEnd = '\r\n\r\n'
const maxMessageBytes = 64 * 1024 * 1024

/** Takes bytes as they come, and gives the messages that are whole. */
export function createMessageReader(onMessage: (message: Message) => void): (bytes: Uint8Array) => void {
  let pending: Buffer = Buffer.alloc(0)
  return bytes => {
    pending = Buffer.concat([pending, bytes])
    for (;;) {
      const end = pending.indexOf(headEnd)
      if (end === -1) return
      const length = Number(/Content-Length: (\d+)/i.exec(pending.toString('latin1', 0, end))?.[1])
      if (!(length <= maxMessageBytes)) throw new Error('a message must say its length, at most 64 MiB')
      const start = end + headEnd.length
      if (pending.length < start + length) return
      const body = pending.toString('utf8', start, start + length)
      pending = pending.subarray(start + length)
      onMessage(JSON.parse(body) as Message)
    }
  }
}
