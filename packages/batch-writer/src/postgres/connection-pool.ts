import type { Socket } from 'node:net'

/** What this package uses of pg, so that nobody needs its types. A `pg.Pool` is a `ConnectionPool`. */
export interface ConnectionPool {
  connect(): Promise<PoolConnection>
  /** Whether it was told to end. */
  readonly ending?: boolean
}

export interface PoolConnection {
  /** A query of one's own making, as pg-cursor and pg-copy-streams have them. */
  query(query: Submittable): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
  off(event: 'error', listener: (error: Error) => void): unknown
  release(destroy?: boolean | Error): void
}

export interface Submittable {
  submit(wire: Wire): void
}

/** The subset of pg's connection that exchanges use: its own protocol writer. */
export interface Wire {
  readonly stream: Socket
  query(text: string): void
  parse(
    statement: { readonly name: string; readonly text: string; readonly types: string[] },
    more: boolean,
  ): void
  execute(portal: object, more: boolean): void
  sync(): void
}
