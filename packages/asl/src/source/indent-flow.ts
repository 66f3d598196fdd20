/** A text in which every line inside `{…}`, `[…]` and quotes is indented by more than the line that opened them. */
export interface IndentedFlow {
  readonly text: string
  /** Where an offset of the new text was in the old one. */
  readonly original: (offset: number) => number
}

/** Spaces that were put before an offset of the old text. */
interface Added {
  readonly from: number
  /** The same offset in the new text. */
  readonly at: number
  readonly spaces: number
}

/**
 * YAML wants the lines of a flow collection or a quoted text indented by more than its parent; CloudFormation, PyYAML, and
 * everybody who pastes JSON into YAML, do not. Indenting them changes nothing else.
 */
export function indentFlow(text: string): IndentedFlow {
  const lines = text.split('\n')
  const added: Added[] = []
  const indented: string[] = []
  let at = 0
  let shift = 0
  let depth = 0
  let pad = 0
  let quote = ''
  let blockIndent: number | undefined
  for (const line of lines) {
    const indent = line.length - line.trimStart().length
    if (blockIndent !== undefined && line.trim() !== '' && indent <= blockIndent) blockIndent = undefined
    const inFlow = depth > 0 || quote !== ''
    if (inFlow) {
      added.push({ from: at, at: at + shift, spaces: pad })
      shift += pad
    }
    indented.push(inFlow ? ' '.repeat(pad) + line : line)
    if (blockIndent === undefined) {
      ;({ depth, quote } = scanLine(line, depth, quote))
      // an element of a list begins after its dashes
      if (!inFlow) pad = (/^\s*(?:-\s+)*/.exec(line)?.[0].length ?? indent) + 1
      if (depth === 0 && quote === '' && /(?:^|[\s:-])[|>][+-]?\d*[+-]?\s*$/.test(line)) blockIndent = indent
    }
    at += line.length + 1
  }
  return { text: indented.join('\n'), original: offset => toOriginal(offset, added) }
}

/** How deep the flow collections are, and in which quotes the text is, at the end of a line. */
function scanLine(line: string, from: number, open: string): { depth: number; quote: string } {
  let depth = from
  let quote = open
  for (let at = 0; at < line.length; at += 1) {
    const char = line[at] as string
    if (quote !== '') {
      if (char === '\\' && quote === '"') at += 1
      else if (char === quote) quote = ''
    } else if ((char === '"' || char === "'") && (depth > 0 || beginsValue(line, at))) quote = char
    else if (char === '#' && (at === 0 || /\s/.test(line[at - 1] as string))) break
    else if ((char === '{' || char === '[') && (depth > 0 || beginsValue(line, at))) {
      // a placeholder is no collection
      if (line[at - 1] === '$') at = Math.max(at, line.indexOf('}', at))
      else depth += 1
    } else if ((char === '}' || char === ']') && depth > 0) depth -= 1
  }
  return { depth, quote }
}

/** Whether a value can begin here: at the start, after a key, a dash or a tag. */
function beginsValue(line: string, at: number): boolean {
  let end = at
  while (end > 0 && /\s/.test(line[end - 1] as string)) end -= 1
  if (end === 0 || line[end - 1] === ':' || line[end - 1] === '-') return true
  while (end > 0 && /[\w:.]/.test(line[end - 1] as string)) end -= 1
  return line[end - 1] === '!'
}

function toOriginal(offset: number, added: readonly Added[]): number {
  let low = 0
  let high = added.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((added[middle] as Added).at <= offset) low = middle + 1
    else high = middle
  }
  const last = added[low - 1]
  return last === undefined ? offset : last.from + Math.max(0, offset - last.at - last.spaces)
}
