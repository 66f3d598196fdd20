import { createHash } from 'node:crypto'
import { canonicalJson } from '@stepwright/errors/json'
import type { Job } from './job.ts'
import { asStored } from './stored-json.ts'

/** What makes two jobs the same work, as a short text: for any order of members, and as the store keeps them. */
export function toPayloadKey({
  type,
  params,
  targetId,
}: Pick<Job, 'type' | 'targetId'> & { readonly params: unknown }): string {
  return createHash('sha256')
    .update(canonicalJson(asStored([type, targetId, params])))
    .digest('hex')
}
