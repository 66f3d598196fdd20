/** A message of the Language Server Protocol, as JSON-RPC has it. */
export interface Message {
  readonly id?: number | string | null
  readonly method?: string
  readonly params?: unknown
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string }
}

/** What JSON-RPC calls a text that is no message. */
const codes = { parseError: -32_700, invalidRequest: -32_600 } as const

/** Puts a message into its frame. */
export function encodeMessage(message: Message): Buffer {
  const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }))
  return Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body])
}

const headEnd = '\r\n\r\n'
const maxHeadBytes = 16 * 1024
const maxMessageBytes = 64 * 1024 * 1024

/**
 * Takes bytes as they come, and gives the messages that are whole. What is no message is answered with an error, and
 * the next one is read.
 */
export function createMessageReader(
  onMessage: (message: Message) => void,
  answer: (error: Message) => void = () => {},
): (bytes: Uint8Array) => void {
  let chunks: Uint8Array[] = []
  let size = 0
  /** Bytes that have to be there before anything can be done. */
  let needed = 1
  /** Bytes of a message that is too long, which are passed over. */
  let skipped = 0
  const refuse = (code: number, message: string): void => answer({ id: null, error: { code, message } })
  const give = (body: string): void => {
    let message: unknown
    try {
      message = JSON.parse(body)
    } catch (error) {
      refuse(codes.parseError, `The message is not JSON: ${(error as Error).message}`)
      return
    }
    const isMessage = typeof message === 'object' && message !== null && !Array.isArray(message)
    if (isMessage) onMessage(message as Message)
    else refuse(codes.invalidRequest, 'A message must be an object.')
  }
  /** The rest of the bytes, after one message; `undefined` where it is not whole. */
  const readOne = (bytes: Buffer): Buffer | undefined => {
    const end = bytes.indexOf(headEnd)
    if (end === -1) {
      needed = size + 1
      if (bytes.length <= maxHeadBytes) return undefined
      refuse(codes.parseError, 'A message must begin with its length: "Content-Length: 123".')
      return Buffer.alloc(0)
    }
    const start = end + headEnd.length
    const length = /Content-Length: *(\d+)/i.exec(bytes.toString('latin1', 0, end))?.[1]
    if (length === undefined) {
      refuse(codes.parseError, 'A message must begin with its length: "Content-Length: 123".')
      return bytes.subarray(start)
    }
    if (Number(length) > maxMessageBytes) {
      refuse(codes.parseError, `A message has at most ${maxMessageBytes} bytes.`)
      skipped = Number(length) - (bytes.length - start)
      return bytes.subarray(Math.min(bytes.length, start + Number(length)))
    }
    if (bytes.length < start + Number(length)) {
      needed = start + Number(length)
      return undefined
    }
    give(bytes.toString('utf8', start, start + Number(length)))
    return bytes.subarray(start + Number(length))
  }
  return given => {
    const bytes = given.subarray(Math.min(Math.max(0, skipped), given.length))
    skipped = Math.max(0, skipped - given.length)
    if (bytes.length === 0) return
    chunks.push(bytes)
    size += bytes.length
    while (size >= needed) {
      const rest = readOne(Buffer.concat(chunks))
      if (rest === undefined) return
      chunks = rest.length === 0 ? [] : [rest]
      size = rest.length
      needed = 1
    }
  }
}
