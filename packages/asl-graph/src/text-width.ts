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

/** The text, or its beginning and an ellipsis if it is too wide. */
export function fitText(text: string, fontSize: number, maxWidth: number): string {
  if (textWidth(text, fontSize) <= maxWidth) return text
  let kept = ''
  let width = textWidth('…', fontSize)
  for (const character of text) {
    width += textWidth(character, fontSize)
    if (width > maxWidth) break
    kept += character
  }
  return `${kept.trimEnd()}…`
}
