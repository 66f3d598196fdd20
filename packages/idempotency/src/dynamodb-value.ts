import type { AttributeValue } from '@aws-sdk/client-dynamodb'

/**
 * A JSON value as DynamoDB's own types, so that whoever reads the table without this package can use it.
 * Undefined for what DynamoDB would refuse: numbers beyond its range, empty names, more than 30 levels.
 */
export function toAttributeValue(value: unknown, depth = 0): AttributeValue | undefined {
  if (value === null) return { NULL: true }
  if (typeof value === 'string') return { S: value }
  if (typeof value === 'boolean') return { BOOL: value }
  if (typeof value === 'number') return isInRange(value) ? { N: String(value) } : undefined
  if (typeof value !== 'object' || depth >= deepest) return undefined
  if (Array.isArray(value)) {
    const L = value.map(each => toAttributeValue(each, depth + 1))
    return L.every(each => each !== undefined) ? { L } : undefined
  }
  const M: Record<string, AttributeValue> = Object.create(null)
  for (const [name, each] of Object.entries(value)) {
    const attribute = name === '' ? undefined : toAttributeValue(each, depth + 1)
    if (attribute === undefined) return undefined
    M[name] = attribute
  }
  return { M }
}

/** The JSON value of an attribute; sets become lists. */
export function fromAttributeValue(attribute: AttributeValue): unknown {
  if (attribute.S !== undefined) return attribute.S
  if (attribute.N !== undefined) return Number(attribute.N)
  if (attribute.BOOL !== undefined) return attribute.BOOL
  if (attribute.L !== undefined) return attribute.L.map(fromAttributeValue)
  if (attribute.M !== undefined) {
    return Object.fromEntries(
      Object.entries(attribute.M).map(([name, each]) => [name, fromAttributeValue(each)]),
    )
  }
  if (attribute.SS !== undefined) return attribute.SS
  if (attribute.NS !== undefined) return attribute.NS.map(Number)
  return null
}

/** DynamoDB allows 32 levels, and the item itself is one. */
const deepest = 30

function isInRange(value: number): boolean {
  const size = Math.abs(value)
  return size === 0 || (size >= 1e-130 && size < 1e126)
}
