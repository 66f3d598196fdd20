import type { AuditKey, AuditKeys } from '../audit-keys.ts'
import { blockProblem } from '../audit-problem.ts'
import { toIndex } from './item-runs.ts'
import { locateChange } from './locate-change.ts'
import { firstItemOf, type PackHead, type PackRecord, toPackKey, toPackMac } from './pack-record.ts'
import { decompressText } from './pack-text.ts'
import { type PackedEntry, parseLineHead } from './packed-entry.ts'

/** @throws AuditVerificationError unless the link of the chain is what was written; its entries are not looked at */
export async function checkPackHead(head: PackHead, keys: AuditKeys, executionId: string): Promise<AuditKey> {
  const key = await findKey(head, keys)
  if (isGenuine(head, key, executionId)) return key
  throw blockProblem('changed', placeOf(head), 'was changed')
}

/**
 * The entries of a block, in its order.
 * @throws AuditVerificationError, which names the first entry that is not what was written, if it can be told
 */
export async function checkPack(
  pack: PackRecord,
  keys: AuditKeys,
  executionId: string,
): Promise<readonly Pick<PackedEntry, 'itemIndex' | 'attempt'>[]> {
  const key = await findKey(pack, keys)
  const text = await decompressText(pack.body)
  if (text === undefined) throw blockProblem('changed', placeOf(pack), 'holds what cannot be read')
  const lines = text.toString().split('\n')
  const heads = lines.map(parseLineHead)
  const itemsOf = heads.every(head => head !== undefined) ? heads : undefined
  const packKey = toPackKey({ ...pack, executionId }, text, itemsOf?.[0]?.itemIndex ?? 0, key)
  const isWhole = packKey === pack.packKey && isGenuine(pack, key, executionId)
  if (isWhole && itemsOf?.length === pack.count && agrees(pack, itemsOf)) return itemsOf
  if (isGenuine({ ...pack, packKey }, key, executionId)) {
    throw blockProblem('reordered', placeOf(pack), "holds a block in another's place")
  }
  throw locateChange(pack, lines, key) ?? blockProblem('changed', placeOf(pack), 'was changed')
}

/** Whether it finds what it has: an index that leaves items out would hide them. */
function agrees(pack: PackHead, entries: Parameters<typeof toIndex>[0]): boolean {
  return (
    toIndex(entries) === pack.index &&
    entries[0]?.itemIndex === firstItemOf(pack) &&
    entries.at(-1)?.itemIndex === pack.lastItem
  )
}

async function findKey(head: PackHead, keys: AuditKeys): Promise<AuditKey> {
  const key = await keys.find(head.keyId)
  if (key !== undefined) return key
  throw blockProblem('unknown-key', placeOf(head), `is signed with unknown key ${head.keyId}`)
}

function isGenuine(head: PackHead, key: AuditKey, executionId: string): boolean {
  return head.executionId === executionId && toPackMac(head, key) === head.mac
}

function placeOf({ writer, first }: PackHead): { readonly writer: string; readonly sequence: number } {
  return { writer, sequence: first }
}
