import { defineTask } from '@stepwright/task'
import * as z from 'zod/mini'
import type { Campaigns } from './campaigns.ts'
import { SupersededError, sendErrors } from './errors.ts'
import { campaignRun } from './schemas.ts'

/** How many recipients are done with, and how often in a row that was no more than before. */
const progress = z.object({ settled: z.int(), stalled: z.int() })

/**
 * 送信予約済 → 送信中: from here on the campaign can be changed no more, unless it is stopped. Called again after a
 * sender died, it says whether the sending got on since.
 */
export const beginSending = defineTask({
  name: 'begin-sending',
  idempotent: true,
  input: z.object({ ...campaignRun.shape, progress: z._default(progress, { settled: -1, stalled: 0 }) }),
  output: z.object({ after: z.string(), done: z.boolean(), progress }),
  errors: [SupersededError, ...sendErrors],
  async run({ progress: before, ...run }, { campaigns }: { campaigns: Campaigns }) {
    const campaign = await campaigns.beginSending(run)
    // Not those in flight: a sender that dies with each step it takes does not get on.
    const { sent_count, bounced_count, suppressed_count, complained_count, unconfirmed_count } = campaign
    const settled = sent_count + bounced_count + suppressed_count + complained_count + unconfirmed_count
    const stalled = settled > before.settled ? 0 : before.stalled + 1
    return { after: '', done: false, progress: { settled, stalled } }
  },
})
