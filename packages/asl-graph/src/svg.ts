/** An element of an SVG document: a string for files, nodes for a page, never markup that is parsed. */
export interface SvgElement {
  readonly tag: string
  readonly attributes: Readonly<Record<string, string | number | undefined>>
  readonly children: readonly (SvgElement | string)[]
}

export function svg(
  tag: string,
  attributes: SvgElement['attributes'] = {},
  ...children: readonly (SvgElement | string | undefined)[]
): SvgElement {
  return { tag, attributes, children: children.filter(child => child !== undefined) }
}

/** The document as text. */
export function toSvgText({ tag, attributes, children }: SvgElement): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}="${escapeText(String(value))}"`)
    .join('')
  const inner = children
    .map(child => (typeof child === 'string' ? escapeText(child) : toSvgText(child)))
    .join('')
  return inner === '' ? `<${tag}${written}/>` : `<${tag}${written}>${inner}</${tag}>`
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Also without the characters that XML cannot hold at all. */
function escapeText(text: string): string {
  return text
    .replaceAll(/[&<>"]/g, character => entities[character] ?? '')
    .replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
}
