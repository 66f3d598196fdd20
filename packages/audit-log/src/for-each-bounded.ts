export interface Bounds {
  /** How many calls run at a time, at most. */
  readonly limit: number
}

/**
 * Calls for each item and returns how many there were. After a failure it takes no more items, waits for the
 * calls that run, and throws what the first one threw.
 */
export async function forEachBounded<T>(
  items: Iterable<T> | AsyncIterable<T>,
  { limit }: Bounds,
  call: (item: T) => Promise<unknown>,
): Promise<number> {
  let count = 0
  let running = 0
  let failed: { readonly error: unknown } | undefined
  let wake = (): void => {}

  function noMoreThan(most: number): Promise<void> {
    return new Promise(resolve => {
      wake = () => {
        if (running <= most) resolve()
      }
      wake()
    })
  }

  try {
    for await (const item of items) {
      if (failed) break
      count += 1
      running += 1
      void call(item)
        .catch(error => {
          failed ??= { error }
        })
        .then(() => {
          running -= 1
          wake()
        })
      if (running >= limit) await noMoreThan(limit - 1)
    }
  } catch (error) {
    failed ??= { error }
  }
  await noMoreThan(0)
  if (failed) throw failed.error
  return count
}
