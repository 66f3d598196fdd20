/// <reference lib="dom" preserve="true" />

export interface IterationPicker {
  readonly element: HTMLElement
  /** A field for each Map with iterations, by its name, with how many it has. */
  setMaps(maps: ReadonlyMap<string, number>): void
}

/** An empty field stands for all iterations. */
export function createIterationPicker(
  onPick: (map: string, iteration: number | undefined) => void,
): IterationPicker {
  const element = document.createElement('div')
  element.className = 'picker'
  let shown = '[]'
  return {
    element,
    setMaps(maps) {
      const wanted = JSON.stringify([...maps])
      if (wanted === shown) return
      shown = wanted
      const chosen = new Map(
        [...element.querySelectorAll('input')].map(({ name, value }) => [name, value] as const),
      )
      element.replaceChildren(...[...maps].map(([name, total]) => field(name, total, chosen.get(name) ?? '')))
    },
  }

  function field(name: string, total: number, value: string): HTMLElement {
    const label = document.createElement('label')
    const input = document.createElement('input')
    Object.assign(input, {
      type: 'number',
      name,
      min: '0',
      max: String(total - 1),
      placeholder: 'all',
      value,
    })
    input.addEventListener('input', () => onPick(name, input.value === '' ? undefined : Number(input.value)))
    label.append(`${name} iteration`, input, `of 0–${total - 1}`)
    return label
  }
}
