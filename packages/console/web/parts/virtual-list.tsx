import type { ComponentChildren, VNode } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

interface VirtualListProps<T> {
  readonly items: readonly T[]
  readonly rowHeight: number
  readonly label: string
  readonly header?: ComponentChildren
  readonly draw: (item: T, index: number) => VNode
  /** The row that is to be seen. */
  readonly show?: number | undefined
  /** Called near the end of the list. */
  readonly onEnd?: () => void
  readonly className?: string
}

const overscan = 8

/** A list of any length: only what is seen is in the page. */
export function VirtualList<T>({
  items,
  rowHeight,
  label,
  header,
  draw,
  show,
  onEnd,
  className = '',
}: VirtualListProps<T>) {
  const box = useRef<HTMLElement>(null)
  const [view, setView] = useState({ top: 0, height: 600 })
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const measure = (): void => setView({ top: element.scrollTop, height: element.clientHeight })
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    element.addEventListener('scroll', measure, { passive: true })
    measure()
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', measure)
    }
  }, [])
  useEffect(() => {
    const element = box.current
    if (!element || show === undefined || show < 0) return
    const top = show * rowHeight
    if (top < element.scrollTop || top + rowHeight * 2 > element.scrollTop + element.clientHeight) {
      element.scrollTop = Math.max(0, top - element.clientHeight / 3)
    }
  }, [show])
  const first = Math.max(0, Math.floor(view.top / rowHeight) - overscan)
  const last = Math.min(items.length, Math.ceil((view.top + view.height) / rowHeight) + overscan)
  useEffect(() => {
    if (last >= items.length - overscan) onEnd?.()
  }, [last, items.length])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and a keyboard must reach it
    <section ref={box} class={`list ${className}`} aria-label={label} tabIndex={0}>
      {header && (
        <div class="list-head" aria-hidden="true">
          {header}
        </div>
      )}
      <ul class="list-body" style={{ height: `${items.length * rowHeight}px` }}>
        {items.slice(first, last).map((item, offset) => (
          <li
            key={first + offset}
            class="list-row"
            aria-setsize={items.length}
            aria-posinset={first + offset + 1}
            style={{ transform: `translateY(${(first + offset) * rowHeight}px)`, height: `${rowHeight}px` }}
          >
            {draw(item, first + offset)}
          </li>
        ))}
      </ul>
    </section>
  )
}
