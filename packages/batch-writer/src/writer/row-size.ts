/**
 * Says about how many bytes a row has: texts by their length, and what is small not at all. Which columns are small
 * is seen from the first row, so that the others' rows cost next to nothing.
 */
export function createRowSizer(): (row: object) => number {
  let bigColumns: readonly string[] | undefined
  return row => {
    bigColumns ??= Object.entries(row).flatMap(([name, value]) => (isSmall(value) ? [] : [name]))
    let bytes = 0
    for (let i = 0; i < bigColumns.length; i += 1) {
      const value = (row as Readonly<Record<string, unknown>>)[bigColumns[i] as string]
      bytes += typeof value === 'string' ? value.length : sizeOf(value)
    }
    return bytes
  }
}

function isSmall(value: unknown): boolean {
  return ['number', 'bigint', 'boolean'].includes(typeof value) || value instanceof Date
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 0
  if (value instanceof Uint8Array) return value.length
  let bytes = 0
  for (const item of Object.values(value)) bytes += sizeOf(item)
  return bytes
}
