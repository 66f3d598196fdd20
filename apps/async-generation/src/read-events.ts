/** One event of a stream of server-sent events. */
export interface StreamEvent {
  readonly id: string
  readonly event: string
  readonly data: Readonly<Record<string, unknown>>
}

/**
 * EventSource would do the same, but sends no token. A problem that ends a stream tells nothing of the process: whoever
 * reads sees a stream that ended early, and comes back.
 */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader()
  let rest = ''
  try {
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return
      const blocks = (rest + value).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        const event = parseBlock(block)
        if (event?.event === 'error') return
        if (event) yield event
      }
    }
  } finally {
    await reader.cancel()
  }
}

function parseBlock(block: string): StreamEvent | undefined {
  const fields: Record<string, string> = {}
  for (const line of block.split('\n')) {
    const [, name, value = ''] = /^(\w+): ?(.*)$/.exec(line) ?? []
    if (name) fields[name] = value
  }
  const { id = '', event = 'message', data } = fields
  return data === undefined ? undefined : { id, event, data: JSON.parse(data) }
}
