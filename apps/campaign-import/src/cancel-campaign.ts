import { ConflictError, NotFoundError } from '@stepwright/errors'
import { defineTask } from '@stepwright/task'
import { status } from './campaign.ts'
import type { Campaigns } from './campaigns.ts'
import { databaseErrors, serviceErrors } from './errors.ts'
import { findOwnCampaign } from './find-own-campaign.ts'
import { ownCampaign, statusAnswer } from './schemas.ts'
import { type Stopping, stopWorkflows } from './workflows.ts'

/** POST /campaigns/{id}/cancel: 取込中, 送信予約済 or 送信停止 → 取消済. Nothing more is imported or sent. */
export const cancelCampaign = defineTask({
  name: 'cancel-campaign',
  input: ownCampaign,
  output: statusAnswer,
  errors: [NotFoundError, ConflictError, ...databaseErrors, ...serviceErrors],
  async run({ caller, id }, ports: Stopping & { readonly campaigns: Campaigns }) {
    const before = await findOwnCampaign(ports.campaigns, id, caller)
    const cancelled = before.status === status.cancelled ? before : await ports.campaigns.cancel(before)
    // Also when it was cancelled before: whoever did that may have died before this line.
    const run = { ...cancelled, revision: cancelled.revision - 1 }
    await stopWorkflows(ports, run, 'the campaign was cancelled')
    return { campaign_id: id, status: cancelled.status }
  },
})
