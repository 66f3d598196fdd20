import { useEffect, useRef, useState } from 'preact/hooks'
import type { LiveMessage } from '../src/protocol.ts'
import { listen } from './api.ts'
import { createPager, type Pager, type PagerState, type Part } from './pager.ts'

export interface UsePagesOptions<T> {
  /** `count` is 0 for as many as there are on a page. */
  readonly load: (after: string | undefined, count: number) => Promise<Part<T>>
  /** The list is another one when these change. */
  readonly dependencies: readonly unknown[]
  /** Which messages say that the list has changed. @default none */
  readonly topic?: LiveMessage['topic']
  /** Looks again so often, where nobody tells. @default never */
  readonly againMs?: number | undefined
}

export interface ShownPages<T> extends PagerState<T> {
  readonly more: () => void
  readonly refresh: () => void
}

/** A list that is loaded in parts and kept up to date. */
export function usePages<T>({ load, dependencies, topic, againMs }: UsePagesOptions<T>): ShownPages<T> {
  const [state, setState] = useState<PagerState<T>>({
    items: [],
    next: undefined,
    error: undefined,
    isLoaded: false,
  })
  const pager = useRef<Pager | undefined>(undefined)
  useEffect(() => {
    const own = createPager(load, setState)
    pager.current = own
    own.refresh()
    const leave = topic && listen({}, message => isAbout(message, topic) && own.refreshSoon())
    const timer = againMs === undefined ? undefined : setInterval(own.refreshSoon, againMs)
    return () => {
      own.end()
      leave?.()
      clearInterval(timer)
    }
  }, [...dependencies, againMs])
  return { ...state, more: () => pager.current?.more(), refresh: () => pager.current?.refresh() }
}

function isAbout(message: LiveMessage | { readonly topic: 'missed' }, topic: LiveMessage['topic']): boolean {
  return message.topic === topic || message.topic === 'missed'
}
