import { DataValidationError } from '@stepwright/errors'
import type { AuditKeys } from './audit-keys.ts'
import type { ChainRun } from './pack/chain-runs.ts'
import type { EntryRun } from './pack/distinct-entries.ts'
import { toMac } from './records.ts'

/** How far a verification has come. */
export interface Progress {
  /** Entries that were found to be as they were written. */
  readonly entries: number
  readonly late: number
  /** The last block that holds its entries, and what its chains and those before have come to. */
  readonly after?: string | undefined
  readonly chains: Readonly<Record<string, readonly ChainRun[]>>
  /** Entries that later blocks may have again. */
  readonly open?: readonly EntryRun[] | undefined
}

/** Which trail a checkpoint is of, and which seal of it. */
export interface CheckpointOf {
  readonly executionId: string
  readonly sealMac: string
}

/** A text that only a holder of the keys can make, and that only goes with this trail. */
export async function toCheckpoint(
  progress: Progress,
  { executionId, sealMac }: CheckpointOf,
  keys: AuditKeys,
): Promise<string> {
  const key = await keys.current()
  const content = JSON.stringify(progress)
  const mac = toMac(key, 'checkpoint', [executionId, sealMac, content])
  return Buffer.from(JSON.stringify({ keyId: key.id, mac, content })).toString('base64url')
}

/** @throws DataValidationError for a text that `toCheckpoint` did not make for this trail and seal */
export async function parseCheckpoint(
  checkpoint: string,
  { executionId, sealMac }: CheckpointOf,
  keys: AuditKeys,
): Promise<Progress> {
  const { keyId = '', mac, content = '' } = toFields(checkpoint)
  const key = await keys.find(String(keyId))
  if (key !== undefined && toMac(key, 'checkpoint', [executionId, sealMac, content]) === mac) {
    return JSON.parse(content) as Progress
  }
  throw new DataValidationError('the checkpoint must be one of this trail and its seal, as it was given', {
    code: 'CHECKPOINT',
  })
}

function toFields(checkpoint: string): { keyId?: string; mac?: string; content?: string } {
  try {
    const fields: unknown = JSON.parse(Buffer.from(checkpoint, 'base64url').toString())
    return typeof fields === 'object' && fields !== null ? fields : {}
  } catch {
    return {}
  }
}
