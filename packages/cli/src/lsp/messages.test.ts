import { describe, expect, it } from 'vitest'
import { createMessageReader, encodeMessage, type Message } from './messages.ts'

function read(...parts: readonly (string | Uint8Array)[]) {
  const messages: Message[] = []
  const errors: (number | undefined)[] = []
  const take = createMessageReader(
    message => messages.push(message),
    ({ error }) => errors.push(error?.code),
  )
  for (const part of parts) take(Buffer.from(part))
  return { messages: messages.map(({ method }) => method), errors }
}

const hello = encodeMessage({ method: 'hello' })

describe('createMessageReader', () => {
  it('reads messages in whatever pieces they come', () => {
    const bytes = Buffer.concat([hello, encodeMessage({ method: 'schön' })])
    expect(read(bytes).messages).toEqual(['hello', 'schön'])
    expect(read(...[...bytes].map(byte => Uint8Array.of(byte))).messages).toEqual(['hello', 'schön'])
  })

  it.each<[string, string, number]>([
    ['a body that is not JSON', 'Content-Length: 5\r\n\r\n{"a":', -32_700],
    ['a body that is no object', 'Content-Length: 2\r\n\r\n[]', -32_600],
    ['a head without a length', 'Content-Type: x\r\n\r\n', -32_700],
    ['a length that is no number', 'Content-Length: much\r\n\r\n', -32_700],
  ])('answers %s, and reads on', (_what, frame, code) => {
    expect(read(frame, hello)).toEqual({ messages: ['hello'], errors: [code] })
  })

  it('passes over a message that is too long', () => {
    const length = 64 * 1024 * 1024 + 1
    const block = Buffer.alloc(1024 * 1024, 'x')
    const body = Array.from({ length: 64 }, () => block)
    expect(read(`Content-Length: ${length}\r\n\r\n`, ...body, 'x', hello)).toEqual({
      messages: ['hello'],
      errors: [-32_700],
    })
  })

  it('gives up a head that does not end', () => {
    expect(read('x'.repeat(20_000), hello)).toEqual({ messages: ['hello'], errors: [-32_700] })
  })
})
