import { setImmediate } from 'node:timers/promises'

/** Time that passes only while everybody waits. */
export function createVirtualClock(): {
  readonly now: () => number
  readonly sleep: (ms: number) => Promise<void>
  /** Lets time pass until the work is done. */
  run<T>(work: Promise<T>): Promise<T>
} {
  let time = 0
  let timers: readonly { readonly at: number; readonly resolve: () => void }[] = []
  return {
    now: () => time,
    sleep: (ms: number): Promise<void> =>
      new Promise(resolve => {
        timers = [...timers, { at: time + ms, resolve }].toSorted((a, b) => a.at - b.at)
      }),
    async run<T>(work: Promise<T>): Promise<T> {
      let isOver = false
      const end = () => {
        isOver = true
      }
      work.then(end, end)
      while (!isOver) {
        await setImmediate()
        const [next, ...rest] = timers
        if (isOver || next === undefined) continue
        timers = rest
        time = Math.max(time, next.at)
        next.resolve()
      }
      return work
    },
  }
}
