import type { Substitutions } from '../expressions/placeholder.ts'

/** A text made of pieces of another one, which knows where each of its characters comes from. */
export interface MappedText {
  readonly text: string
  /** The offset in the other text, for each character. */
  readonly places: readonly number[]
}

/** A text that stands for what is at one place. */
export function textAt(text: string, place: number): MappedText {
  return { text, places: Array<number>(text.length).fill(place) }
}

export function joinTexts(parts: readonly MappedText[], separator: string): MappedText {
  const places: number[] = []
  for (const [index, part] of parts.entries()) {
    const place = part.places[0] ?? places.at(-1) ?? 0
    if (index > 0) for (let at = 0; at < separator.length; at += 1) places.push(place)
    for (const each of part.places) places.push(each)
  }
  return { text: parts.map(part => part.text).join(separator), places }
}

const placeholder = /\$\{([^{}]+)\}/g

/** As `substitute` does: what is put in stands where its placeholder stood. */
export function substituteMapped(given: MappedText, values: Substitutions): MappedText {
  if (!given.text.includes('${')) return given
  const parts: MappedText[] = []
  let from = 0
  for (const match of given.text.matchAll(placeholder)) {
    const [whole, name = ''] = match
    const value = name.startsWith('!')
      ? `\${${name.slice(1)}}`
      : Object.hasOwn(values, name)
        ? values[name]
        : undefined
    if (value === undefined) continue
    parts.push(slice(given, from, match.index), textAt(value, given.places[match.index] ?? 0))
    from = match.index + whole.length
  }
  return from === 0 ? given : joinTexts([...parts, slice(given, from, given.text.length)], '')
}

function slice({ text, places }: MappedText, from: number, to: number): MappedText {
  return { text: text.slice(from, to), places: places.slice(from, to) }
}

/** A JSON or YAML string as it is read, with the places of its characters in the file. */
export function mapString(file: string, start: number, end: number, value: string): MappedText {
  const raw = file.slice(start, end)
  const style = raw[0] ?? ''
  const block = style === '|' || style === '>' ? /\n( *)\S/.exec(raw)?.[1]?.length : undefined
  const places: number[] = []
  let at = block === undefined ? (style === '"' || style === "'" ? 1 : 0) : raw.indexOf('\n') + 1 + block
  while (places.length < value.length) {
    const char = value[places.length] as string
    const here = raw[at]
    if (here === '\\' && style === '"') {
      const length = escapeLength(raw, at)
      places.push(start + at)
      if (raw[at + 1] === 'U' && length === 10 && /[\ud800-\udbff]/.test(char)) places.push(start + at)
      at += length
    } else if (here === char) {
      places.push(start + at)
      at += style === "'" && char === "'" ? 2 : 1
      if (char === '\n' && block !== undefined) at = skipSpaces(raw, at, block)
    } else if (here !== undefined && /\s/.test(here)) {
      // folded lines: any white space here is any white space there
      if (/\s/.test(char)) places.push(start + at)
      at += 1
    } else places.push(start + Math.min(at, raw.length))
  }
  return { text: value, places: places.slice(0, value.length) }
}

function escapeLength(raw: string, at: number): number {
  return { u: 6, x: 4, U: 10 }[raw[at + 1] ?? ''] ?? 2
}

function skipSpaces(raw: string, from: number, most: number): number {
  let at = from
  while (at < from + most && raw[at] === ' ') at += 1
  return at
}
