import type { Selectable } from 'kysely'
import type * as z from 'zod/mini'
import type { Database } from './database.ts'
import type { Sender } from './email-address.ts'
import type { campaignContent } from './schemas.ts'

/** The stages of a campaign, in the words that staff see. */
export const status = {
  importing: '取込中',
  importFailed: '取込失敗',
  scheduled: '送信予約済',
  sending: '送信中',
  /** By staff, or because the sender or the content was refused: a PUT books the rest anew. */
  stopped: '送信停止',
  sent: '送信済',
} as const

export type CampaignStatus = (typeof status)[keyof typeof status]

/** A row of `notification_campaigns` as tasks see it: times are ISO 8601, in UTC. */
export type Campaign = Omit<
  Selectable<Database['notification_campaigns']>,
  'registration_key' | 'registration_hash' | 'created_at' | 'scheduled_at' | 'updated_at'
> & { readonly scheduled_at: string; readonly updated_at: string }

/** What a caller says of a campaign; the sender in its parts. */
export type CampaignContent = z.infer<typeof campaignContent> & Sender & Pick<Campaign, 's3_etag'>

export interface RejectedRow {
  /** Counted from 1, without the header and empty lines. */
  readonly row: number
  readonly reason: string
}

export interface FailureReason {
  readonly error: string
  readonly message: string
  readonly code?: string
  readonly details?: Readonly<Record<string, unknown>>
}

export interface Recipient {
  readonly email: string
  readonly name: string | null
}

/** Whether the campaign is what the caller says, whatever the version of its upload. */
export function hasSameContent(campaign: Campaign, content: Omit<CampaignContent, 's3_etag'>): boolean {
  const fields = Object.keys(content) as (keyof typeof content)[]
  return fields.every(field => campaign[field] === content[field])
}
