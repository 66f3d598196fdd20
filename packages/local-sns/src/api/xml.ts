/** A value as the query protocol writes it: lists as `member`, a `Map` as `entry`, fields by their names. */
export function toXml(value: unknown): string {
  if (Array.isArray(value)) return value.map(item => `<member>${toXml(item)}</member>`).join('')
  if (value instanceof Map) {
    return [...value]
      .map(
        ([key, item]) => `<entry><key>${escapeXml(String(key))}</key><value>${toXml(item)}</value></entry>`,
      )
      .join('')
  }
  if (typeof value !== 'object' || value === null) return escapeXml(String(value ?? ''))
  return Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .map(([key, item]) => `<${key}>${toXml(item)}</${key}>`)
    .join('')
}

const named: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

export function escapeXml(text: string): string {
  return text.replaceAll(/[&<>"]|\r/g, found => named[found] ?? '&#xD;')
}
