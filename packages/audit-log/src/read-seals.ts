import type { AuditKeys } from './audit-keys.ts'
import { blockProblem, sealProblem } from './audit-problem.ts'
import type { SealStore } from './audit-store.ts'
import type { PackHead } from './pack/pack-record.ts'
import { type ChainHead, type SealRecord, toSealMac } from './records.ts'

/**
 * The seals of an execution, the first generation first; none if it was never sealed. Whoever can insert can insert
 * what looks like a seal: each must be signed, and name the one before.
 * @throws AuditVerificationError at the first that is not genuine
 */
export async function readSeals(
  seals: SealStore,
  keys: AuditKeys,
  executionId: string,
): Promise<readonly SealRecord[]> {
  const found: SealRecord[] = []
  for (;;) {
    const generation = found.length + 1
    const seal = await seals.readSeal(executionId, generation)
    if (seal === undefined) return found
    const key = await keys.find(seal.keyId)
    if (key === undefined) throw sealProblem('unknown-key', `is signed with unknown key ${seal.keyId}`)
    const isNext = (seal.generation ?? 1) === generation && seal.previous === found.at(-1)?.mac
    if (toSealMac(seal, key) !== seal.mac || seal.executionId !== executionId || !isNext) {
      throw sealProblem('changed', 'was changed, or was not made by a holder of the key')
    }
    found.push(seal)
  }
}

/** Compares blocks with what seals say of their chains. */
export interface SealedHeads {
  /** @throws AuditVerificationError if it is the last block that a seal names, and another than that */
  refuseOther(block: Pick<PackHead, 'writer' | 'number' | 'first' | 'count' | 'mac'>): void
  /** Whether the last seal does not cover it. */
  isLate(block: Pick<PackHead, 'writer' | 'number'>): boolean
  /** @throws AuditVerificationError if a chain ends before the last seal says */
  refuseTruncated(heads: readonly ChainHead[]): void
}

export function createSealedHeads(seals: readonly SealRecord[]): SealedHeads {
  const chains = seals.flatMap(seal => seal.chains)
  const ends = new Map(chains.map(chain => [`${chain.blocks} ${chain.writer}`, chain]))
  const last = new Map(seals.at(-1)?.chains.map(chain => [chain.writer, chain]))
  return {
    refuseOther({ writer, number, first, count, mac }) {
      const sealed = ends.get(`${number + 1} ${writer}`)
      if (sealed === undefined || (mac === sealed.head && first + count === sealed.entries)) return
      throw blockProblem('changed', { writer, sequence: first }, 'is not the one that was sealed')
    },
    isLate: ({ writer, number }) => number >= (last.get(writer)?.blocks ?? 0),
    refuseTruncated(heads) {
      const found = new Map(heads.map(head => [head.writer, head]))
      for (const { writer, blocks, entries } of last.values()) {
        const head = found.get(writer)
        if (head === undefined) throw blockProblem('truncated', { writer, sequence: 0 }, 'is missing')
        if (head.blocks < blocks) {
          throw blockProblem(
            'truncated',
            { writer, sequence: head.entries },
            `ends before its ${entries} entries`,
          )
        }
      }
    },
  }
}
