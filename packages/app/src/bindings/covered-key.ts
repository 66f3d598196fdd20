/** Whether a right of the list, such as `read data/*`, covers the key. Patterns are IAM's: `*` is any text, `?` any character. */
export function coversKey(
  rights: readonly string[],
  verb: 'read' | 'write' | 'delete',
  key: string,
): boolean {
  return rights.some(right => {
    const [given, pattern = '*'] = right.split(' ', 2)
    return given === verb && toRegExp(pattern).test(key)
  })
}

function toRegExp(pattern: string): RegExp {
  const source = pattern
    .replaceAll(/[.+^${}()|[\]\\]/g, found => `\\${found}`)
    .replaceAll(/\*+/g, '.*')
    .replaceAll('?', '.')
  return new RegExp(`^${source}$`, 's')
}
