import { ConflictError, DataValidationError, ForbiddenError, NotFoundError } from '@stepwright/errors'
import { defineTask } from '@stepwright/task'
import * as z from 'zod/mini'
import { type Campaign, type CampaignContent, status } from './campaign.ts'
import { checkContent, checkUpload } from './check-content.ts'
import { databaseErrors, serviceErrors } from './errors.ts'
import { findOwnCampaign } from './find-own-campaign.ts'
import type { RegisterPorts } from './register-campaign.ts'
import { campaignContent, campaignId } from './schemas.ts'

/**
 * PUT /campaigns/{id}: a new revision. With another CSV, or before an import has succeeded, all is imported anew;
 * else only the send workflow is replaced. The same call again changes nothing, and starts what is not started.
 */
export const changeCampaign = defineTask({
  name: 'change-campaign',
  input: z.object({ ...campaignContent.shape, caller: z.string(), id: campaignId }),
  output: z.object({ campaign_id: z.string(), status: z.string() }),
  errors: [
    DataValidationError,
    ForbiddenError,
    NotFoundError,
    ConflictError,
    ...databaseErrors,
    ...serviceErrors,
  ],
  async run({ caller, id, ...content }, { campaigns, store, workflows }: RegisterPorts, { now }) {
    const before = await findOwnCampaign(campaigns, id, caller)
    if (before.status === status.sending || before.status === status.sent) {
      throw new ConflictError('the campaign is being sent or was sent: it cannot be changed any more', {
        code: 'CAMPAIGN_SENT',
      })
    }
    await checkContent(content, caller, campaigns, now())
    const reimport = needsImport(before, content)
    if (reimport) await checkUpload(content.s3_key, store)
    const revised = isSame(before, content) ? before : await campaigns.revise(before, content, reimport)
    if (revised !== before) await workflows.stop(before, `replaced by revision ${revised.revision}`)
    const { campaign_id, revision } = revised
    const run = { campaign_id, revision }
    if (revised.status === status.importing) await workflows.startImport(run, revised.s3_key)
    else if (revised.status === status.scheduled) {
      await campaigns.saveExecution(run, await workflows.startSend(run, revised.scheduled_at))
    }
    return { campaign_id, status: revised.status }
  },
})

function needsImport(before: Campaign, content: CampaignContent): boolean {
  return before.status !== status.scheduled || before.s3_key !== content.s3_key
}

/** A failed import is tried again, whatever the content. */
function isSame(before: Campaign, content: CampaignContent): boolean {
  const fields = Object.keys(content) as (keyof CampaignContent)[]
  return before.status !== status.importFailed && fields.every(field => before[field] === content[field])
}
