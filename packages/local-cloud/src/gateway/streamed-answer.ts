import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { Writable } from 'node:stream'
import { type Answer, MalformedAnswerError, toAnswer } from './proxy-answer.ts'

const delimiter = Buffer.alloc(8)
const maxHeadBytes = 64 * 1024

/** Takes what a function streams (a head in JSON, eight NULs, a body) and sends it on, as fast as it is read. */
export class StreamedAnswer extends Writable {
  readonly #response: ServerResponse
  readonly #headers: Answer['headers']
  #head: Buffer = Buffer.alloc(0)

  constructor(response: ServerResponse, headers: Answer['headers']) {
    super()
    this.#response = response
    this.#headers = headers
    response.once('close', () => this.destroy())
    this.on('error', () => {})
  }

  /** Whether the caller has a status already. */
  get opened(): boolean {
    return this.#response.headersSent
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error) => void): void {
    try {
      const body = this.opened ? chunk : this.#open(chunk)
      if (body === undefined || body.length === 0) done()
      else this.#response.write(body, () => done())
    } catch (error) {
      done(error as Error)
    }
  }

  override _final(done: () => void): void {
    if (this.opened) this.#response.end()
    done()
  }

  /** What there is of the body as soon as the head is complete. */
  #open(chunk: Buffer): Buffer | undefined {
    this.#head = Buffer.concat([this.#head, chunk])
    const end = this.#head.indexOf(delimiter)
    if (end < 0) {
      if (this.#head.length <= maxHeadBytes) return undefined
      throw new MalformedAnswerError('the handler streamed no head, as HttpResponseStream.from makes it')
    }
    const { status, headers } = toAnswer(JSON.parse(this.#head.toString('utf8', 0, end)), 'rest')
    this.#response.writeHead(status, { ...this.#headers, ...headers } as OutgoingHttpHeaders)
    this.#response.flushHeaders()
    return this.#head.subarray(end + delimiter.length)
  }
}
