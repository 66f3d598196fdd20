import { ConflictError, NotFoundError } from '@stepwright/errors'
import { defineTask } from '@stepwright/task'
import { status } from './campaign.ts'
import type { Campaigns } from './campaigns.ts'
import { databaseErrors } from './errors.ts'
import { findOwnCampaign } from './find-own-campaign.ts'
import { ownCampaign, statusAnswer } from './schemas.ts'

/** POST /campaigns/{id}/pause: 送信中 → 送信停止, also of a resend. A PUT with a new time sends to the rest. */
export const pauseCampaign = defineTask({
  name: 'pause-campaign',
  input: ownCampaign,
  output: statusAnswer,
  errors: [NotFoundError, ConflictError, ...databaseErrors],
  async run({ caller, id }, { campaigns }: { campaigns: Campaigns }) {
    const campaign = await findOwnCampaign(campaigns, id, caller)
    const isOver = campaign.status === status.stopped && campaign.resend_revision === null
    if (!isOver && !(await campaigns.stopSending(campaign, null))) {
      throw new ConflictError('the campaign is not being sent', { code: 'NOT_SENDING' })
    }
    return { campaign_id: id, status: status.stopped }
  },
})
