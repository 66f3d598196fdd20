import { DataValidationError, ForbiddenError, isTaskError, NotFoundError } from '@stepwright/errors'
import type { ObjectStore } from '@stepwright/object-store'
import type { CampaignContent } from './campaign.ts'
import type { Campaigns } from './campaigns.ts'

export interface ContentPorts {
  readonly campaigns: Campaigns
  readonly store: Pick<ObjectStore, 'head'>
}

/** What no schema can tell: that the time is to come, and that the upload is the caller's own. */
export async function checkContent(
  content: CampaignContent,
  caller: string,
  campaigns: Campaigns,
  nowMs: number,
): Promise<void> {
  if (Date.parse(content.scheduled_at) <= nowMs) refuse('scheduled_at', 'must be in the future')
  // The same answer for a key that nobody has: it tells nothing about other callers' keys.
  if ((await campaigns.ownerOfUpload(content.s3_key)) !== caller) {
    throw new ForbiddenError('s3_key: this is no upload of yours', {
      details: { issues: [{ path: 's3_key', message: 'is no upload of yours' }] },
    })
  }
}

/** That the CSV is there, where it is going to be imported. */
export async function checkUpload(s3Key: string, store: ContentPorts['store']): Promise<void> {
  try {
    await store.head(s3Key)
  } catch (error) {
    if (!isTaskError(error, NotFoundError)) throw error
    refuse('s3_key', 'nothing was uploaded there yet')
  }
}

function refuse(path: string, message: string): never {
  throw new DataValidationError(`${path}: ${message}`, { details: { issues: [{ path, message }] } })
}
