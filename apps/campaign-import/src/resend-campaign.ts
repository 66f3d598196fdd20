import { ConflictError, NotFoundError } from '@stepwright/errors'
import { defineTask } from '@stepwright/task'
import type { Campaigns } from './campaigns.ts'
import { databaseErrors, serviceErrors } from './errors.ts'
import { findOwnCampaign } from './find-own-campaign.ts'
import { ownCampaign, statusAnswer } from './schemas.ts'
import { type Starting, startSend } from './workflows.ts'

export interface ResendPorts {
  readonly campaigns: Campaigns
  readonly sends: Starting
}

/**
 * POST /campaigns/{id}/resend: sends once more to those alone whom nobody knows to have got anything. Some of them may
 * get a second message: that is for people to decide.
 */
export const resendCampaign = defineTask({
  name: 'resend-campaign',
  input: ownCampaign,
  output: statusAnswer,
  errors: [NotFoundError, ConflictError, ...databaseErrors, ...serviceErrors],
  async run({ caller, id }, { campaigns, sends }: ResendPorts) {
    const revised = await campaigns.resend(await findOwnCampaign(campaigns, id, caller))
    await campaigns.saveExecution(revised, (await startSend(sends, revised)).executionArn)
    return { campaign_id: id, status: revised.status }
  },
})
