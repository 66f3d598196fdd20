import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { areChains, type ChainHead, type SealRecord } from './records.ts'

export type Item = Record<string, AttributeValue>

export function toSealKey(generation: number): string {
  return generation === 1 ? 'seal' : `seal#${generation}`
}

export function toSealItem(seal: SealRecord): Item {
  return {
    ...toItemKey(seal.executionId, toSealKey(seal.generation ?? 1)),
    chains: { S: JSON.stringify(seal.chains) },
    entries: { N: String(seal.entries) },
    sealedAt: { S: seal.sealedAt },
    keyId: { S: seal.keyId },
    ...toExpiry(seal),
    ...(seal.generation !== undefined && { generation: { N: String(seal.generation) } }),
    ...(seal.previous !== undefined && { previous: { S: seal.previous } }),
    mac: { S: seal.mac },
  }
}

export function fromSealItem(item: Item): SealRecord {
  return {
    executionId: text(item, 'executionId'),
    chains: toChains(text(item, 'chains')),
    entries: number(item, 'entries'),
    sealedAt: text(item, 'sealedAt'),
    keyId: text(item, 'keyId'),
    ...fromExpiry(item),
    ...(item['generation'] && { generation: number(item, 'generation') }),
    ...(item['previous'] && { previous: text(item, 'previous') }),
    mac: text(item, 'mac'),
  }
}

export function toItemKey(executionId: string, recordKey: string): Item {
  return { executionId: { S: executionId }, recordKey: { S: recordKey } }
}

/** An attribute that is missing or of another type was tampered with: it reads as one that fits no MAC. */
export function text(item: Item, name: string): string {
  return item[name]?.S ?? '\u0000'
}

export function number(item: Item, name: string): number {
  return Number(item[name]?.N ?? -1)
}

/** Of what no seal was made with: it fits no MAC. */
const noChains: readonly ChainHead[] = [{ writer: '\u0000', blocks: -1, entries: -1, head: '' }]

function toChains(json: string): readonly ChainHead[] {
  try {
    const chains: unknown = JSON.parse(json)
    return areChains(chains) ? chains : noChains
  } catch {
    return noChains
  }
}

export function toExpiry({ expiresAt }: { readonly expiresAt?: number | undefined }): Item {
  return expiresAt === undefined ? {} : { expiresAt: { N: String(expiresAt) } }
}

export function fromExpiry(item: Item): { expiresAt?: number } {
  return item['expiresAt'] ? { expiresAt: number(item, 'expiresAt') } : {}
}
