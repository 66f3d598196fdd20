/** Letters that a terminal draws two columns wide: Chinese, Japanese, Korean, and pictures. */
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u

/** The text, or as much of it as fits into so many columns, with `…` for the rest. */
export function cutToWidth(text: string, columns: number): string {
  const letters = [...text]
  let used = 0
  for (const [index, letter] of letters.entries()) {
    used += wide.test(letter) ? 2 : 1
    if (used <= columns) continue
    let kept = letters.slice(0, index)
    while (kept.length > 0 && widthOf(kept.join('')) > columns - 1) kept = kept.slice(0, -1)
    return columns > 0 ? `${kept.join('')}…` : ''
  }
  return text
}

/** In columns of a terminal. */
export function widthOf(text: string): number {
  let width = 0
  for (const letter of text) width += wide.test(letter) ? 2 : 1
  return width
}
