/** A part of a list, and where the next one begins; nowhere at its end. */
export interface Part<T> {
  readonly items: readonly T[]
  readonly next: string | undefined
  /** Of the whole list, where that is known. */
  readonly total?: number
}

export interface PagerState<T> extends Part<T> {
  readonly error: string | undefined
  readonly isLoaded: boolean
}

export interface Pager {
  /** Loads the next part, if there is one and nothing is being loaded. */
  more(): void
  /** Loads again what is shown. */
  refresh(): void
  /** The same a little later, once for all who ask meanwhile. */
  refreshSoon(): void
  /** What is still answered is not told any more. */
  end(): void
}

interface PagerOptions {
  /** @default 200 */
  readonly waitMs?: number
  readonly setTimer?: (act: () => void, ms: number) => unknown
}

/**
 * A list that is loaded in parts, one request at a time: no part is shown twice, and what is refreshed keeps its
 * length, so that nobody who has scrolled down is thrown back.
 */
export function createPager<T>(
  load: (after: string | undefined, count: number) => Promise<Part<T>>,
  onChange: (state: PagerState<T>) => void,
  { waitMs = 200, setTimer = setTimeout }: PagerOptions = {},
): Pager {
  let state: PagerState<T> = { items: [], next: undefined, error: undefined, isLoaded: false }
  let isBusy = false
  let isStale = false
  let isAwaited = false
  let hasEnded = false

  function change(next: Partial<PagerState<T>>): void {
    if (hasEnded) return
    state = { ...state, ...next }
    onChange(state)
  }

  async function alone(work: () => Promise<Partial<PagerState<T>>>): Promise<void> {
    isBusy = true
    try {
      change({ ...(await work()), error: undefined, isLoaded: true })
    } catch (error) {
      change({ error: (error as Error).message })
    }
    isBusy = false
    if (isStale && !hasEnded) refreshSoon()
  }

  async function loadShown(): Promise<Part<T>> {
    const wanted = state.items.length
    let part = await load(undefined, wanted)
    while (part.items.length < wanted && part.next !== undefined && !hasEnded) {
      const { items } = part
      const more = await load(part.next, wanted - items.length)
      part = { ...more, items: [...items, ...more.items] }
    }
    return part
  }

  function refresh(): void {
    if (isBusy) isStale = true
    else {
      isStale = false
      void alone(loadShown)
    }
  }

  function refreshSoon(): void {
    if (isAwaited || hasEnded) return
    isAwaited = true
    setTimer(() => {
      isAwaited = false
      if (!hasEnded) refresh()
    }, waitMs)
  }

  return {
    more() {
      const { next, items } = state
      if (isBusy || next === undefined) return
      void alone(async () => {
        const part = await load(next, 0)
        return { ...part, items: [...items, ...part.items] }
      })
    },
    refresh,
    refreshSoon,
    end() {
      hasEnded = true
    },
  }
}
