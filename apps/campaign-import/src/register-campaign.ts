import { ConflictError, DataValidationError, ForbiddenError } from '@stepwright/errors'
import { defineTask } from '@stepwright/task'
import * as z from 'zod/mini'
import { type ContentPorts, checkContent, checkUpload } from './check-content.ts'
import { databaseErrors, serviceErrors } from './errors.ts'
import { campaignContent } from './schemas.ts'
import type { Workflows } from './workflows.ts'

export interface RegisterPorts extends ContentPorts {
  readonly workflows: Workflows
}

/** POST /campaigns: answers at once, the import runs. The same call again gives the same campaign. */
export const registerCampaign = defineTask({
  name: 'register-campaign',
  input: z.object({ ...campaignContent.shape, caller: z.string() }),
  output: z.object({ campaign_id: z.string() }),
  errors: [DataValidationError, ForbiddenError, ConflictError, ...databaseErrors, ...serviceErrors],
  async run({ caller, ...content }, { campaigns, store, workflows }: RegisterPorts, { now }) {
    await checkContent(content, caller, campaigns, now())
    await checkUpload(content.s3_key, store)
    const { campaign_id } = await campaigns.register(caller, content)
    // Also when the campaign was there: whoever created it may have died before this line.
    await workflows.startImport({ campaign_id, revision: 1 }, content.s3_key)
    return { campaign_id }
  },
})
