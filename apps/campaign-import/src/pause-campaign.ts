import { ConflictError, NotFoundError } from '@stepwright/errors'
import { defineTask } from '@stepwright/task'
import * as z from 'zod/mini'
import { status } from './campaign.ts'
import type { Campaigns } from './campaigns.ts'
import { databaseErrors } from './errors.ts'
import { findOwnCampaign } from './find-own-campaign.ts'
import { campaignId } from './schemas.ts'

/** POST /campaigns/{id}/pause: 送信中 → 送信停止. A PUT with a new time sends to the rest. */
export const pauseCampaign = defineTask({
  name: 'pause-campaign',
  input: z.object({ caller: z.string(), id: campaignId }),
  output: z.object({ campaign_id: z.string(), status: z.string() }),
  errors: [NotFoundError, ConflictError, ...databaseErrors],
  async run({ caller, id }, { campaigns }: { campaigns: Campaigns }) {
    const campaign = await findOwnCampaign(campaigns, id, caller)
    if (campaign.status !== status.stopped && !(await campaigns.stopSending(campaign, null))) {
      throw new ConflictError('the campaign is not being sent', { code: 'NOT_SENDING' })
    }
    return { campaign_id: id, status: status.stopped }
  },
})
