import type { ComponentChildren } from 'preact'

interface SidePanelProps {
  /** What screen readers call it. */
  readonly label: string
  readonly title: string | undefined
  /** What is closed, as its button says: `state`, `message`. */
  readonly what: string
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** What was chosen in a list or a picture, beside it. */
export function SidePanel({ label, title, what, onClose, children }: SidePanelProps) {
  return (
    <aside class="step" aria-label={label}>
      <header>
        <h2>{title}</h2>
        <span class="grow" />
        <button type="button" class="quiet" aria-label={`Close ${what}`} onClick={onClose}>
          ✕
        </button>
      </header>
      {children}
    </aside>
  )
}
