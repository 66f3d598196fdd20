/** Many waits of the same length with one timer, since hardly any of them comes to its end. */
export interface Deadlines {
  /** Calls back after the time, unless it is deleted before. */
  add(onLate: () => void): Deadline
  delete(deadline: Deadline): void
  /** Forgets all of them. */
  clear(): void
}

export interface Deadline {
  readonly at: number
  readonly onLate: () => void
}

export function createDeadlines(ms: number): Deadlines {
  // In the order in which they come to their end, since all are of the same length.
  const waiting = new Set<Deadline>()
  let timer: NodeJS.Timeout | undefined

  function arm(): void {
    const [first] = waiting
    timer = first && setTimeout(expire, Math.max(0, first.at - performance.now()))
  }

  function expire(): void {
    for (const deadline of waiting) {
      if (deadline.at > performance.now()) break
      waiting.delete(deadline)
      deadline.onLate()
    }
    arm()
  }

  return {
    add(onLate) {
      const deadline = { at: performance.now() + ms, onLate }
      waiting.add(deadline)
      if (timer === undefined) arm()
      return deadline
    },
    delete: deadline => waiting.delete(deadline),
    clear() {
      clearTimeout(timer)
      waiting.clear()
    },
  }
}
