import * as z from 'zod/mini'
import { isSender } from './email-address.ts'

export const campaignId = z.string().check(z.minLength(1), z.maxLength(64))

/** What every task of a workflow gets: whose work it is. */
export const campaignRun = z.object({ campaign_id: campaignId, revision: z.int().check(z.positive()) })

export const s3Key = z.string().check(z.regex(/^uploads\/[\w.-]{1,100}\.csv$/, 'is no key of an upload'))

const utc = z.pipe(
  z.iso.datetime({ offset: true }),
  z.transform(text => new Date(text).toISOString()),
)

/** The body of POST and PUT. */
export const campaignContent = z.object({
  subject: z.string().check(z.minLength(1), z.maxLength(255), z.regex(/^[^\r\n]*$/, 'must be one line')),
  body_html: z.string().check(z.minLength(1), z.maxLength(500_000)),
  body_text: z.string().check(z.minLength(1), z.maxLength(500_000)),
  from_address: z.string().check(z.maxLength(320), z.refine(isSender, 'is no e-mail address')),
  scheduled_at: utc,
  s3_key: s3Key,
})
