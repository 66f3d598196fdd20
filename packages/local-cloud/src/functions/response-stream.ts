import { Writable } from 'node:stream'

const streaming = Symbol.for('aws.lambda.runtime.handler.streaming')
const delimiterBytes = 8

/** Takes what a handler streams, one chunk after the other; calls back when it can take more. */
export type ChunkSink = (chunk: Buffer, taken: () => void) => void

/** What Lambda's runtime gives to a handler that streams. */
export class ResponseStream extends Writable {
  #head: string | undefined
  readonly #sink: ChunkSink

  constructor(sink: ChunkSink) {
    super()
    this.#sink = sink
    // A caller that leaves destroys it, and a handler may still be writing then.
    this.on('error', () => {})
  }

  setContentType(): void {}

  /** Sent before the first chunk, and so never where there is none. */
  setHead(head: unknown): void {
    this.#head = JSON.stringify(head)
  }

  override _write(chunk: Buffer, _encoding: string, taken: () => void): void {
    const head = this.#head === undefined ? [] : [Buffer.from(this.#head), Buffer.alloc(delimiterBytes)]
    this.#head = undefined
    this.#sink(Buffer.concat([...head, chunk]), taken)
  }
}

/** Stands in for the global that Lambda's runtime has. */
export const awslambda = {
  streamifyResponse<H extends object>(handler: H): H {
    return Object.assign(handler, { [streaming]: 'response' })
  },
  HttpResponseStream: {
    from(stream: ResponseStream, head: unknown): ResponseStream {
      stream.setHead(head)
      return stream
    },
  },
}

export function isStreaming(handler: object): boolean {
  return streaming in handler
}
