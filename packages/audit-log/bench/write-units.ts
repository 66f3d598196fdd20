import type { AttributeValue } from '@aws-sdk/client-dynamodb'

type Item = Readonly<Record<string, AttributeValue>>

/** What DynamoDB charges for putting an item: a unit for each KiB begun, in the table and in each index it is in. */
export function writeUnits(item: Item): number {
  const units = Math.ceil(itemBytes(item) / 1024)
  return 'failedExecutionId' in item ? units * 2 : units
}

function itemBytes(item: Item): number {
  return Object.entries(item).reduce(
    (sum, [name, value]) => sum + Buffer.byteLength(name) + bytesOf(value),
    0,
  )
}

function bytesOf({ S, N, B }: AttributeValue): number {
  if (S !== undefined) return Buffer.byteLength(S)
  if (B !== undefined) return B.byteLength
  // Two digits a byte, and one more.
  return Math.ceil((N?.length ?? 0) / 2) + 1
}
