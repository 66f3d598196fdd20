import { useEffect } from 'preact/hooks'

/** Does something now, and again after each pause, while somebody is looking. */
export function useRepeated(
  work: () => Promise<unknown>,
  pauseMs: number | undefined,
  dependencies: readonly unknown[],
): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let ended = false
    const run = async () => {
      if (!document.hidden) await work()
      if (!ended && pauseMs !== undefined) timer = setTimeout(run, pauseMs)
    }
    void run()
    return () => {
      ended = true
      clearTimeout(timer)
    }
  }, [pauseMs, ...dependencies])
}
