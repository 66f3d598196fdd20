import type { PoolConnection, Wire } from './connection-pool.ts'

/** What a server says to one exchange: a tag such as `COPY 1000` per command, and the rows, as text. */
export interface Answer {
  readonly tags: readonly string[]
  readonly rows: readonly (readonly (string | null)[])[]
}

/**
 * Sends any number of messages at once and collects what comes back until the server is ready again: a
 * savepoint, a COPY and its data take one round trip. `send` must end with exactly one simple query or Sync.
 */
export function exchange(client: Pick<PoolConnection, 'query'>, send: (wire: Wire) => void): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const tags: string[] = []
    const rows: (string | null)[][] = []
    // pg's contract for queries of one's own, as pg-cursor and pg-copy-streams use it.
    const submittable = {
      submit: send,
      handleRowDescription(): void {},
      handleDataRow({ fields }: { fields: (string | null)[] }): void {
        rows.push(fields)
      },
      handleCommandComplete({ text }: { text: string }): void {
        tags.push(text)
      },
      handleEmptyQuery(): void {},
      handlePortalSuspended(): void {},
      // The data is on its way already.
      handleCopyInResponse(): void {},
      handleCopyData(): void {},
      handleError: reject,
      handleReadyForQuery(): void {
        resolve({ tags, rows })
      },
    }
    client.query(submittable)
  })
}

/** How many rows a command tag counts. */
export function countOf(tag: string | undefined): number {
  return Number(/(?<!\d)\d+$/.exec(tag ?? '')?.[0] ?? 0)
}

/** One statement of the extended protocol, without the Sync that ends an exchange. */
export function sendStatement(wire: Wire, text: string, values: readonly (Buffer | string)[] = []): void {
  wire.parse({ text, name: '', types: [] }, true)
  for (const piece of bindMessage(values)) wire.stream.write(piece)
  wire.execute({}, true)
}

const bind = 0x42
/** Of the portal and the statement, which have no names here: a NUL each. */
const namesBytes = 2

/** As pg's own, but without copying the values, which are long here. */
function* bindMessage(given: readonly (Buffer | string)[]): Generator<Buffer> {
  const values = given.map(value => (typeof value === 'string' ? Buffer.from(value) : value))
  const head = Buffer.alloc(1 + 4 + namesBytes + 2 + 2 * values.length + 2)
  const tail = Buffer.alloc(2)
  const bytes = values.reduce((sum, value) => sum + 4 + value.length, 0)
  head[0] = bind
  head.writeInt32BE(head.length - 1 + bytes + tail.length, 1)
  let at = head.writeInt16BE(values.length, 5 + namesBytes)
  for (const value of given) at = head.writeInt16BE(typeof value === 'string' ? 0 : 1, at)
  head.writeInt16BE(values.length, at)
  yield head
  for (const value of values) {
    const length = Buffer.alloc(4)
    length.writeInt32BE(value.length)
    yield length
    yield value
  }
  yield tail
}
