/// <reference lib="dom" preserve="true" />

export interface ToolbarActions {
  zoomBy(factor: number): void
  fit(): void
  toSvg(): string
  toPng(): Promise<Blob>
}

/** Buttons for what the mouse and the keyboard do, and to save the picture. */
export function createToolbar(actions: ToolbarActions): HTMLElement {
  const bar = document.createElement('div')
  bar.className = 'toolbar'
  bar.setAttribute('role', 'toolbar')
  bar.setAttribute('aria-label', 'Picture')
  const button = (text: string, label: string, act: () => void): HTMLElement => {
    const made = document.createElement('button')
    made.type = 'button'
    made.textContent = text
    made.title = label
    made.setAttribute('aria-label', label)
    made.addEventListener('click', act)
    return made
  }
  bar.append(
    button('−', 'Zoom out', () => actions.zoomBy(1 / 1.25)),
    button('+', 'Zoom in', () => actions.zoomBy(1.25)),
    button('Fit', 'Fit into the window', () => actions.fit()),
    button('SVG', 'Save as SVG', () =>
      save(new Blob([actions.toSvg()], { type: 'image/svg+xml' }), 'graph.svg'),
    ),
    button('PNG', 'Save as PNG', () => void actions.toPng().then(blob => save(blob, 'graph.png'))),
  )
  return bar
}

function save(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
