/** `*` is any text, `\*` a star. Takes the first place for each part, so that nothing is looked at again and again. */
export function matchesWildcard(pattern: string, value: string): boolean {
  const [first = '', ...others] = partsOf(pattern)
  if (others.length === 0) return value === first
  const last = others.pop() ?? ''
  if (!value.startsWith(first) || !value.endsWith(last)) return false
  let at = first.length
  for (const part of others) {
    const found = value.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return at <= value.length - last.length
}

/** The texts between the stars. */
function partsOf(pattern: string): readonly string[] {
  const parts = ['']
  for (const token of pattern.match(/\\[*\\]|[\s\S]/g) ?? []) {
    if (token === '*') parts.push('')
    else parts.push(`${parts.pop()}${token.replace(/^\\(?=.)/, '')}`)
  }
  return parts
}
