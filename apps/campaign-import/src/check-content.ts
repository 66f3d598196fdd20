import { DataValidationError, ForbiddenError, isTaskError, NotFoundError } from '@stepwright/errors'
import { parseSender } from '@stepwright/mail'
import type { ObjectStore } from '@stepwright/object-store'
import type * as z from 'zod/mini'
import type { CampaignContent, Campaigns } from './campaigns.ts'
import type { campaignContent } from './schemas.ts'

export interface ContentPorts {
  readonly campaigns: Campaigns
  readonly store: Pick<ObjectStore, 'head'>
  /** Addresses and domains that may be sent from. */
  readonly senders: readonly string[]
}

const dayMs = 86_400_000
/** An execution ends after a year, and must have sent by then. */
const maxDaysAhead = 364

/** What no schema can tell: that the time is to come, and that upload and sender are the caller's to use. */
export async function checkContent(
  content: z.infer<typeof campaignContent>,
  caller: string,
  { campaigns, senders }: ContentPorts,
  nowMs: number,
): Promise<Omit<CampaignContent, 's3_etag'>> {
  const scheduledMs = Date.parse(content.scheduled_at)
  if (scheduledMs <= nowMs) refuse('scheduled_at', 'must be in the future')
  if (scheduledMs > nowMs + maxDaysAhead * dayMs) {
    refuse('scheduled_at', `must be at most ${maxDaysAhead} days ahead`)
  }
  const sender = parseSender(content.from_address)
  if (!sender || !senders.some(allowed => isAllowed(sender.from_address, allowed))) {
    refuse('from_address', 'must be a sender that you are allowed to use')
  }
  // The same answer for a key that nobody has: it tells nothing about other callers' keys.
  if ((await campaigns.ownerOfUpload(content.s3_key)) !== caller) {
    throw new ForbiddenError('s3_key: this is no upload of yours', {
      details: { issues: [{ path: 's3_key', message: 'is no upload of yours' }] },
    })
  }
  return { ...content, ...sender }
}

/** The version of the CSV that is there now; undefined if there is none. */
export async function findUpload(s3Key: string, { store }: ContentPorts): Promise<string | undefined> {
  try {
    return (await store.head(s3Key)).etag
  } catch (error) {
    if (!isTaskError(error, NotFoundError)) throw error
    return undefined
  }
}

export function refuseMissingUpload(): never {
  refuse('s3_key', 'nothing was uploaded there yet')
}

function isAllowed(address: string, allowed: string): boolean {
  return address === allowed || address.endsWith(`@${allowed}`)
}

function refuse(path: string, message: string): never {
  throw new DataValidationError(`${path}: ${message}`, { details: { issues: [{ path, message }] } })
}
