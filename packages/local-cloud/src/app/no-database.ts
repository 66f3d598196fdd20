import type { Postgres } from '@stepwright/local-postgres'

/** Stands where an app has no database: a server that nobody asks for would cost its start and its memory. */
export function noDatabase(): Postgres {
  const refuse = (): never => {
    throw new TypeError('the app declares no database, and so none was started')
  }
  const stop = async () => {}
  return {
    get url() {
      return refuse()
    },
    owned: false,
    restart: refuse,
    kill: refuse,
    pause: refuse,
    resume: refuse,
    stop,
    [Symbol.asyncDispose]: stop,
  }
}
