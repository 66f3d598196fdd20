/**
 * Each character in lower and in upper case, one by one: `ß` also stands for `SS`, as in event-ruler.
 * @param where which part of a text must be like it
 */
export function foldedPattern(text: string, where: 'prefix' | 'suffix' | 'whole'): RegExp {
  const characters = text.split('').map(character => {
    const cases = [...new Set([character.toLowerCase(), character.toUpperCase()])]
    return cases.length === 1 ? escaped(character) : `(?:${cases.map(escaped).join('|')})`
  })
  const source = characters.join('')
  return new RegExp(`${where === 'suffix' ? '' : '^'}${source}${where === 'prefix' ? '' : '$'}`)
}

function escaped(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&')
}
