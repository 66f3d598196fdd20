/** About how wide a text is in the system's sans-serif font: the server has no font to measure with. */
export function textWidth(text: string, fontSize: number): number {
  let units = 0
  for (const character of text) units += characterUnits(character.codePointAt(0) ?? 0)
  return units * fontSize
}

function characterUnits(code: number): number {
  if (code > 0x2e7f) return 1.02 // Chinese, Japanese, Korean
  if ('iljtfrI.,:;|!\'`()[]{}" '.includes(String.fromCodePoint(code))) return 0.36
  if ('mwMW@%'.includes(String.fromCodePoint(code))) return 0.9
  return code >= 0x41 && code <= 0x5a ? 0.69 : 0.575
}

/** The text, or its beginning and its end if it is too wide: what tells two texts apart is often at their ends. */
export function fitText(text: string, fontSize: number, maxWidth: number): string {
  if (textWidth(text, fontSize) <= maxWidth) return text
  const characters = [...text]
  let left = maxWidth - textWidth('…', fontSize)
  let head = 0
  let tail = 0
  for (let isHead = true; head + tail < characters.length; isHead = !isHead) {
    const next = characters.at(isHead ? head : -1 - tail) as string
    left -= textWidth(next, fontSize)
    if (left < 0) break
    if (isHead) head += 1
    else tail += 1
  }
  const end = characters.slice(characters.length - tail).join('')
  return `${characters.slice(0, head).join('').trimEnd()}…${end.trimStart()}`
}
