import { ConflictError, DataValidationError, ForbiddenError } from '@stepwright/errors'
import { defineTask } from '@stepwright/task'
import * as z from 'zod/mini'
import { status } from './campaign.ts'
import { hasSameContent } from './campaigns.ts'
import { type ContentPorts, checkContent, findUpload, refuseMissingUpload } from './check-content.ts'
import { databaseErrors, serviceErrors } from './errors.ts'
import { campaignContent } from './schemas.ts'
import { type Starting, startImport } from './workflows.ts'

export interface RegisterPorts extends ContentPorts {
  readonly imports: Starting
}

/**
 * POST /campaigns: answers at once, the import runs. The same call again gives the same campaign; if another file was
 * uploaded under the key since, that one is imported.
 */
export const registerCampaign = defineTask({
  name: 'register-campaign',
  input: z.object({ ...campaignContent.shape, caller: z.string() }),
  output: z.object({ campaign_id: z.string() }),
  errors: [DataValidationError, ForbiddenError, ConflictError, ...databaseErrors, ...serviceErrors],
  async run({ caller, ...given }, ports: RegisterPorts, { now }) {
    const { campaigns, imports } = ports
    const checked = await checkContent(given, caller, ports, now())
    const s3_etag = (await findUpload(given.s3_key, ports)) ?? refuseMissingUpload()
    const content = { ...checked, s3_etag }
    let campaign = await campaigns.register(caller, content)
    if (campaign.s3_etag !== s3_etag && hasSameContent(campaign, checked)) {
      campaign = await campaigns.revise(campaign, content, true)
    }
    // Also when the campaign was there: whoever created it may have died before this line.
    if (campaign.status === status.importing) await startImport(imports, campaign)
    return { campaign_id: campaign.campaign_id }
  },
})
