import { parseSender } from '@stepwright/mail'
import * as z from 'zod/mini'
import { status } from './campaign.ts'

export const campaignId = z.string().check(z.minLength(1), z.maxLength(64))

/** What every task of a workflow gets: whose work it is. */
export const campaignRun = z.object({ campaign_id: campaignId, revision: z.int().check(z.positive()) })

/** Which of the caller's campaigns is meant. */
export const ownCampaign = z.object({ caller: z.string(), id: campaignId })

export const statusAnswer = z.object({ campaign_id: z.string(), status: z.string() })

const s3Key = z.string().check(z.regex(/^uploads\/[\w.-]{1,100}\.csv$/, 'must be the s3_key of an upload'))

/** What the import workflow is started with. */
export const importInput = z.object({ ...campaignRun.shape, s3_key: s3Key, s3_etag: z.string() })

/** What the send workflow is started with. */
export const sendInput = z.object({ ...campaignRun.shape, scheduled_at: z.iso.datetime() })

/** What an import has brought. */
export const counts = z.object({
  total_count: z.int(),
  duplicate_count: z.int(),
  rejected_count: z.int(),
  rejected_rows: z.array(z.object({ row: z.int(), reason: z.string() })),
})

/** A campaign in a list. */
export const summary = z.object({
  campaign_id: z.string(),
  status: z.enum(status),
  subject: z.string(),
  scheduled_at: z.string(),
  total_count: z.nullable(z.int()),
})

const utc = z.pipe(
  z.union([z.iso.datetime({ offset: true }), z.iso.datetime({ offset: true, precision: -1 })]),
  z.transform(text => new Date(text).toISOString()),
)

const body = z
  .string()
  .check(
    z.minLength(1),
    z.maxLength(500_000),
    z.refine(isStorable, 'must not have a NUL or half a character'),
  )

/** The body of POST and PUT. */
export const campaignContent = z.object({
  subject: z
    .string()
    .check(
      z.maxLength(255),
      z.regex(/\S/, 'must not be blank'),
      z.regex(/^[^\p{Cc}\u2028\u2029]*$/u, 'must be one line without control characters'),
      z.refine(isStorable, 'must not have half a character'),
    ),
  body_html: body,
  body_text: body,
  from_address: z.string().check(
    z.maxLength(320),
    z.refine(
      text => parseSender(text) !== undefined,
      'must be an address, or a name and <an address>; a name with a comma or @ in quotes',
    ),
  ),
  scheduled_at: utc,
  s3_key: s3Key,
})

function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}
