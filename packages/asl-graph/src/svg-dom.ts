/// <reference lib="dom" preserve="true" />
import type { SvgElement } from './svg.ts'

/** The same as nodes of a page. */
export function toDom({ tag, attributes, children }: SvgElement): SVGElement {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) element.setAttribute(name, String(value))
  }
  for (const child of children) element.append(typeof child === 'string' ? child : toDom(child))
  return element
}
