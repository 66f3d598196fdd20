import type { ComponentChildren } from 'preact'

/** A table that scrolls inside the page. */
export function TableBox({
  label,
  children,
}: {
  readonly label: string
  readonly children: ComponentChildren
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and a keyboard must reach it
    <section class="table-box" aria-label={label} tabIndex={0}>
      <table>{children}</table>
    </section>
  )
}
