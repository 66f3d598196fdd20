import { isTaskError } from '@stepwright/errors'
import type { AuditKeys } from './audit-keys.ts'
import {
  type AuditProblem,
  blockProblem,
  type EntryPlace,
  entryProblem,
  problemOf,
  sealProblem,
} from './audit-problem.ts'
import type { AuditStore } from './audit-store.ts'
import { AuditVerificationError } from './errors.ts'
import {
  type BlockRecord,
  type ChainHead,
  type EntryRecord,
  parseBody,
  type SealRecord,
  toEntryKey,
  toSealMac,
} from './records.ts'
import type { Trail } from './seal-execution.ts'
import { walkChains } from './walk-chains.ts'

export type VerifyResult =
  | {
      readonly ok: true
      /** Entries in all chains. */
      readonly entries: number
      readonly writers: number
      /** Entries that were added after the seal: genuine, but it cannot be told if one of them is missing. */
      readonly late: number
    }
  | { readonly ok: false; readonly problem: AuditProblem }

/** Whether everything is there as it was written, and if not, the first thing that is not. */
export async function verifyExecution(trail: Trail, executionId: string): Promise<VerifyResult> {
  try {
    return await verify(trail, executionId)
  } catch (error) {
    if (isTaskError(error, AuditVerificationError)) return { ok: false, problem: problemOf(error) }
    throw error
  }
}

async function verify({ store, keys, now }: Trail, executionId: string): Promise<VerifyResult> {
  const seal = await readSeal(store, keys, executionId)
  if (seal.expiresAt !== undefined && seal.expiresAt * 1000 <= now()) {
    throw sealProblem('expired', `covers entries that may have expired since ${toIso(seal.expiresAt)}`)
  }
  const open = new Map(seal.chains.map(chain => [chain.writer, chain]))
  const writers = new Set<string>()
  let entries = 0
  let late = 0
  let last: BlockRecord | undefined
  for await (const block of walkChains(store, keys, executionId)) {
    if (last && last.writer !== block.writer) refuseTruncated(open, last)
    await checkEntries(store, keys, block)
    const sealed = open.get(block.writer)
    if (sealed === undefined) late += block.entryKeys.length
    else if (block.number + 1 === sealed.blocks) {
      refuseOtherHead(block, sealed)
      open.delete(block.writer)
    }
    entries += block.entryKeys.length
    writers.add(block.writer)
    last = block
  }
  if (last) refuseTruncated(open, last)
  for (const { writer } of open.values())
    throw blockProblem('truncated', { writer, sequence: 0 }, 'is missing')
  await refuseForgeries(store, keys, executionId)
  return { ok: true, entries, writers: writers.size, late }
}

async function readSeal(store: AuditStore, keys: AuditKeys, executionId: string): Promise<SealRecord> {
  const seal = await store.readSeal(executionId)
  if (seal === undefined) throw sealProblem('unsealed', 'is missing: it was never made, or deleted')
  const key = await keys.find(seal.keyId)
  if (key === undefined) throw sealProblem('unknown-key', `is signed with unknown key ${seal.keyId}`)
  if (toSealMac(seal, key) !== seal.mac || seal.executionId !== executionId) {
    throw sealProblem('changed', 'was changed')
  }
  return seal
}

function refuseTruncated(open: ReadonlyMap<string, ChainHead>, last: BlockRecord): void {
  const sealed = open.get(last.writer)
  if (sealed === undefined) return
  const sequence = last.first + last.entryKeys.length
  throw blockProblem(
    'truncated',
    { writer: last.writer, sequence },
    `ends before its ${sealed.entries} entries`,
  )
}

function refuseOtherHead(block: BlockRecord, sealed: ChainHead): void {
  if (block.mac === sealed.head && block.first + block.entryKeys.length === sealed.entries) return
  throw blockProblem(
    'changed',
    { writer: block.writer, sequence: block.first },
    'is not the one that was sealed',
  )
}

async function checkEntries(store: AuditStore, keys: AuditKeys, block: BlockRecord): Promise<void> {
  const { executionId, writer, first, entryKeys } = block
  const found = await store.getEntries(executionId, entryKeys)
  const byKey = new Map(found.map(entry => [entry.entryKey, entry]))
  for (const [index, entryKey] of entryKeys.entries()) {
    const place = { writer, sequence: first + index, entryKey }
    const entry = byKey.get(entryKey)
    if (entry === undefined) throw entryProblem('missing', place, 'is missing')
    await checkEntry(store, keys, entry, place)
  }
}

/** Entries that no chain commits are what a crash leaves behind, if their MACs are right. */
async function refuseForgeries(store: AuditStore, keys: AuditKeys, executionId: string): Promise<void> {
  for await (const entry of store.readEntries({ executionId })) {
    await checkEntry(store, keys, entry, { entryKey: entry.entryKey })
  }
}

async function checkEntry(
  store: AuditStore,
  keys: AuditKeys,
  entry: EntryRecord,
  place: EntryPlace,
): Promise<void> {
  const body = parseBody(entry)
  if (body === undefined) throw entryProblem('changed', place, 'was changed')
  const key = await keys.find(String(body.keyId))
  if (key === undefined) throw entryProblem('unknown-key', place, `is signed with unknown key ${body.keyId}`)
  const rightKey = toEntryKey(entry, body, key)
  if (rightKey === entry.entryKey) return
  const [other] = await store.getEntries(entry.executionId, [rightKey])
  const content = `holds what belongs to item ${body.itemIndex}, attempt ${body.attempt}`
  throw other ? entryProblem('reordered', place, content) : entryProblem('changed', place, 'was changed')
}

function toIso(seconds: number): string {
  return new Date(seconds * 1000).toISOString()
}
