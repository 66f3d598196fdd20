import type { EventEmitter } from 'node:events'

export interface InterruptedOptions {
  /** Emits the signals: a process. */
  readonly signals: Pick<EventEmitter, 'on'>
  /** Ends at once. */
  readonly exit: () => void
  readonly now: () => number
}

/** One Ctrl-C can come twice: from the terminal, and from npm, which hands it on to what it runs. */
const sameMs = 1000

/** Resolves at the first signal to end; a later one, from somebody who does not want to wait, ends at once. */
export function createInterrupted({ signals, exit, now }: InterruptedOptions): () => Promise<void> {
  return () =>
    new Promise(resolve => {
      let firstMs: number | undefined
      for (const signal of ['SIGINT', 'SIGTERM'] as const) {
        signals.on(signal, () => {
          if (firstMs !== undefined && now() - firstMs > sameMs) exit()
          firstMs ??= now()
          resolve()
        })
      }
    })
}
