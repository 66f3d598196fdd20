/** Lets in so many at a time; the others wait, the first first. */
export interface Turnstile {
  /** @returns whether there was a place before the time was over */
  enter(): Promise<boolean>
  leave(): void
}

export function createTurnstile(places: number, waitTimeoutMs: number): Turnstile {
  const waiting = new Set<() => void>()
  let free = places
  return {
    enter() {
      if (free > 0) {
        free -= 1
        return Promise.resolve(true)
      }
      return new Promise(resolve => {
        const enter = (): void => {
          clearTimeout(timer)
          waiting.delete(enter)
          resolve(true)
        }
        const timer = setTimeout(() => {
          waiting.delete(enter)
          resolve(false)
        }, waitTimeoutMs)
        waiting.add(enter)
      })
    },
    leave() {
      const [next] = waiting
      if (next) next()
      else free += 1
    },
  }
}
