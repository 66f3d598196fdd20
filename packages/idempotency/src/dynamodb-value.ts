import type { AttributeValue } from '@aws-sdk/client-dynamodb'

/**
 * A JSON value as DynamoDB's own types, so that whoever reads the table without this package can use it.
 * Undefined for what DynamoDB would refuse, or give back as another value: numbers beyond its range, empty names, more
 * than 30 levels, halves of surrogate pairs, and members called `__proto__`, which the SDK loses.
 */
export function toAttributeValue(value: unknown, depth = 0): AttributeValue | undefined {
  if (value === null) return { NULL: true }
  if (typeof value === 'string') return value.isWellFormed() ? { S: value } : undefined
  if (typeof value === 'boolean') return { BOOL: value }
  if (typeof value === 'number') return isInRange(value) ? { N: String(value) } : undefined
  if (typeof value !== 'object' || depth >= deepest) return undefined
  if (Array.isArray(value)) {
    const L = value.map(each => toAttributeValue(each, depth + 1))
    return L.every(each => each !== undefined) ? { L } : undefined
  }
  const M: Record<string, AttributeValue> = {}
  for (const [name, each] of Object.entries(value)) {
    const attribute = isKept(name) ? toAttributeValue(each, depth + 1) : undefined
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

function isKept(name: string): boolean {
  return name !== '' && name !== '__proto__' && name.isWellFormed()
}

/** What a JSON value takes up of an item; of numbers a little more, since DynamoDB does not say exactly. */
export function attributeBytes({ S, N, L, M }: AttributeValue): number {
  if (S !== undefined) return Buffer.byteLength(S)
  if (N !== undefined) return Math.ceil(N.length / 2) + 2
  if (L !== undefined) return L.reduce((sum, each) => sum + 1 + attributeBytes(each), 3)
  if (M === undefined) return 1
  const members = Object.entries(M)
  return members.reduce((sum, [name, each]) => sum + 1 + Buffer.byteLength(name) + attributeBytes(each), 3)
}

function isInRange(value: number): boolean {
  const size = Math.abs(value)
  return size === 0 || (size >= 1e-130 && size < 1e126)
}
