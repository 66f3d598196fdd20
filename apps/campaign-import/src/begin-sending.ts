import { defineTask } from '@stepwright/task'
import * as z from 'zod/mini'
import type { Campaigns } from './campaigns.ts'
import { SupersededError, sendErrors } from './errors.ts'
import { campaignRun } from './schemas.ts'

/** 送信予約済 → 送信中: from here on the campaign can be changed no more, unless it is stopped. */
export const beginSending = defineTask({
  name: 'begin-sending',
  idempotent: true,
  input: campaignRun,
  output: z.object({ after: z.string(), done: z.boolean() }),
  errors: [SupersededError, ...sendErrors],
  async run(run, { campaigns }: { campaigns: Campaigns }) {
    await campaigns.beginSending(run)
    return { after: '', done: false }
  },
})
