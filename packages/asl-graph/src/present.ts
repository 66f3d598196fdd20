import type { StyleRule } from './style.ts'
import type { SvgElement } from './svg.ts'

interface Compound {
  readonly tag: string | undefined
  readonly classes: readonly string[]
}

interface ReadRule {
  /** From the outermost to the element itself. */
  readonly path: readonly Compound[]
  readonly weight: number
  readonly declarations: Readonly<Record<string, string>>
}

interface Described {
  readonly tag: string
  readonly classes: ReadonlySet<string>
}

/** The same elements with what the rules say as attributes, which every program that draws SVG knows. */
export function present(element: SvgElement, rules: readonly StyleRule[]): SvgElement {
  const read = rules.map(readRule).sort((a, b) => a.weight - b.weight)
  return presentInside(element, [], read)
}

function presentInside(
  element: SvgElement,
  around: readonly Described[],
  rules: readonly ReadRule[],
): SvgElement {
  const path = [...around, describe(element)]
  const style: Record<string, string> = {}
  for (const { path: selector, declarations } of rules)
    if (matches(selector, path)) Object.assign(style, declarations)
  return {
    tag: element.tag,
    attributes: { ...element.attributes, ...style },
    children: element.children.map(child =>
      typeof child === 'string' ? child : presentInside(child, path, rules),
    ),
  }
}

function readRule([selector, declarations]: StyleRule): ReadRule {
  const path = selector.split(' ').map(readCompound)
  const weight = path.reduce(
    (sum, { tag, classes }) => sum + (tag === undefined ? 0 : 1) + 100 * classes.length,
    0,
  )
  return { path, weight, declarations }
}

function readCompound(text: string): Compound {
  const [tag = '', ...classes] = text.split('.')
  return { tag: tag === '' ? undefined : tag, classes }
}

function describe({ tag, attributes }: SvgElement): Described {
  return { tag, classes: new Set(String(attributes['class'] ?? '').split(' ')) }
}

/** Whether the last of a selector is the last of a path, and what it has to be inside of is around it, in that order. */
function matches(selector: readonly Compound[], path: readonly Described[]): boolean {
  const own = path.at(-1)
  const last = selector.at(-1)
  if (own === undefined || last === undefined || !fits(last, own)) return false
  let left = selector.length - 2
  for (let at = path.length - 2; at >= 0 && left >= 0; at -= 1) {
    const compound = selector[left]
    const element = path[at]
    if (compound !== undefined && element !== undefined && fits(compound, element)) left -= 1
  }
  return left < 0
}

function fits({ tag, classes }: Compound, element: Described): boolean {
  return (tag === undefined || tag === element.tag) && classes.every(name => element.classes.has(name))
}
