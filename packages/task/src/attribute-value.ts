/** A value as DynamoDB writes it. */
export interface AttributeValue {
  readonly S?: string | undefined
  readonly N?: string | undefined
  readonly B?: string | undefined
  readonly BOOL?: boolean | undefined
  readonly NULL?: boolean | undefined
  readonly M?: AttributeValues | undefined
  readonly L?: readonly AttributeValue[] | undefined
  readonly SS?: readonly string[] | undefined
  readonly NS?: readonly string[] | undefined
  readonly BS?: readonly string[] | undefined
}

export type AttributeValues = Readonly<Record<string, AttributeValue>>

/** An item as JSON: sets are arrays, bytes stay in base64, and a number that JSON would round stays a text. */
export function fromAttributeValues(item: AttributeValues): Record<string, unknown> {
  return Object.fromEntries(Object.entries(item).map(([name, value]) => [name, fromAttributeValue(value)]))
}

function fromAttributeValue({ S, N, B, BOOL, M, L, SS, NS, BS }: AttributeValue): unknown {
  if (N !== undefined) return toNumber(N)
  if (M !== undefined) return fromAttributeValues(M)
  if (L !== undefined) return L.map(fromAttributeValue)
  if (NS !== undefined) return NS.map(toNumber)
  return S ?? B ?? BOOL ?? SS ?? BS ?? null
}

function toNumber(text: string): number | string {
  const number = Number(text)
  return isExact(number, text) ? number : text
}

/** A double gives back every decimal of 15 digits as it was, and some longer ones. */
function isExact(number: number, text: string): boolean {
  if (!Number.isFinite(number)) return false
  const digits = text
    .replace(/e.*/i, '')
    .replace(/\D/g, '')
    .replace(/^0+|(?<!0)0+$/g, '')
  return digits.length <= 15 || String(number) === text
}
