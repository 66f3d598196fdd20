import { useCallback, useEffect, useState } from 'preact/hooks'

export interface Loaded<T> {
  readonly data: T | undefined
  readonly error: string | undefined
  readonly reload: () => void
}

/** Loads when it is first shown and whenever what it depends on changes; an older answer never replaces a newer one. */
export function useData<T>(
  load: () => Promise<T>,
  dependencies: readonly unknown[],
  /** Looks again so long after each answer. @default never */
  againMs?: number,
): Loaded<T> {
  const [state, setState] = useState<{ data: T | undefined; error: string | undefined }>({
    data: undefined,
    error: undefined,
  })
  const [turn, setTurn] = useState(0)
  useEffect(() => {
    let isCurrent = true
    let timer: number | undefined
    load()
      .then(
        data => isCurrent && setState({ data, error: undefined }),
        (error: Error) => isCurrent && setState(before => ({ ...before, error: error.message })),
      )
      .then(() => {
        if (isCurrent && againMs !== undefined)
          timer = window.setTimeout(() => setTurn(value => value + 1), againMs)
      })
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [...dependencies, turn])
  return { ...state, reload: useCallback(() => setTurn(value => value + 1), []) }
}
