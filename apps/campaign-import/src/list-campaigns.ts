import { defineTask } from '@stepwright/task'
import * as z from 'zod/mini'
import type { Campaigns } from './campaigns.ts'
import { databaseErrors } from './errors.ts'
import { campaignId, summary } from './schemas.ts'

const maxListed = 100

/** GET /campaigns: the caller's own, the newest first; `before` is the last id of the page before. */
export const listCampaigns = defineTask({
  name: 'list-campaigns',
  input: z.object({ caller: z.string(), before: z.optional(campaignId) }),
  output: z.object({ campaigns: z.array(summary) }),
  errors: databaseErrors,
  async run({ caller, before }, { campaigns }: { campaigns: Campaigns }) {
    return { campaigns: [...(await campaigns.list(caller, before, maxListed))] }
  },
})
