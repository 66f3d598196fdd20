import type { AuditKeys } from './audit-keys.ts'
import { blockProblem } from './audit-problem.ts'
import type { AuditStore } from './audit-store.ts'
import { type BlockRecord, toBlockMac } from './records.ts'

/**
 * The blocks of all chains of an execution, each found to follow the one before.
 * @throws AuditVerificationError at the first that does not
 */
export async function* walkChains(
  store: AuditStore,
  keys: AuditKeys,
  executionId: string,
): AsyncGenerator<BlockRecord> {
  let last: BlockRecord | undefined
  for await (const block of store.readBlocks(executionId)) {
    const before: BlockRecord | undefined = last?.writer === block.writer ? last : undefined
    const expected = before === undefined ? 0 : before.number + 1
    const sequence = before === undefined ? 0 : before.first + before.entryKeys.length
    const place = { writer: block.writer, sequence }
    await checkMac(block, keys, executionId, place)
    if (block.number !== expected || (last && block.writer < last.writer)) {
      throw (await isStored(store, executionId, block.writer, expected))
        ? blockProblem('reordered', place, 'is out of order')
        : blockProblem('missing', place, 'has a gap')
    }
    if (block.previous !== (before?.mac ?? '') || block.first !== sequence) {
      throw blockProblem('changed', place, 'does not follow from what comes before')
    }
    last = block
    yield block
  }
}

async function checkMac(
  block: BlockRecord,
  keys: AuditKeys,
  executionId: string,
  place: { readonly writer: string; readonly sequence: number },
): Promise<void> {
  const key = await keys.find(block.keyId)
  if (key === undefined) throw blockProblem('unknown-key', place, `is signed with unknown key ${block.keyId}`)
  if (toBlockMac(block, key) !== block.mac || block.executionId !== executionId) {
    throw blockProblem('changed', place, 'was changed')
  }
}

/** Whether a block that is not in its place is in another: then it was moved, not deleted. */
async function isStored(
  store: AuditStore,
  executionId: string,
  writer: string,
  number: number,
): Promise<boolean> {
  for await (const block of store.readBlocks(executionId)) {
    if (block.writer === writer && block.number === number) return true
  }
  return false
}
