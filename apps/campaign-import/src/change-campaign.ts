import { ConflictError, DataValidationError, ForbiddenError, NotFoundError } from '@stepwright/errors'
import { defineTask } from '@stepwright/task'
import * as z from 'zod/mini'
import { status } from './campaign.ts'
import { hasSameContent } from './campaigns.ts'
import { type ContentPorts, checkContent, findUpload, refuseMissingUpload } from './check-content.ts'
import { databaseErrors, serviceErrors } from './errors.ts'
import { findOwnCampaign } from './find-own-campaign.ts'
import { campaignContent, ownCampaign, statusAnswer } from './schemas.ts'
import { type Starting, type Stopping, startImport, startSend, stopWorkflows } from './workflows.ts'

type ChangePorts = ContentPorts & Stopping & { readonly imports: Starting; readonly sends: Starting }

/**
 * PUT /campaigns/{id}: a new revision. With another CSV, or before an import has succeeded, all is imported anew;
 * else only the send workflow is replaced. The same call again changes nothing, and starts what is not started.
 */
export const changeCampaign = defineTask({
  name: 'change-campaign',
  input: z.object({ ...campaignContent.shape, ...ownCampaign.shape }),
  output: statusAnswer,
  errors: [
    DataValidationError,
    ForbiddenError,
    NotFoundError,
    ConflictError,
    ...databaseErrors,
    ...serviceErrors,
  ],
  async run({ caller, id, ...given }, ports: ChangePorts, { now }) {
    const { campaigns, imports, sends } = ports
    const before = await findOwnCampaign(campaigns, id, caller)
    if (before.status === status.cancelled) {
      throw new ConflictError('the campaign was cancelled', { code: 'CAMPAIGN_CANCELLED' })
    }
    if (before.status === status.sending || before.status === status.sent) {
      throw new ConflictError('the campaign is being sent or was sent: it cannot be changed any more', {
        code: 'CAMPAIGN_SENT',
      })
    }
    const checked = await checkContent(given, caller, ports, now())
    const found = await findUpload(given.s3_key, ports)
    const hasImported = before.status === status.scheduled || before.status === status.stopped
    const sameFile = before.s3_key === given.s3_key && (found ?? before.s3_etag) === before.s3_etag
    const reimport = !hasImported || !sameFile
    const s3_etag = found ?? (reimport ? refuseMissingUpload() : before.s3_etag)
    const goesOn = before.status === status.importing || before.status === status.scheduled
    const isSame = goesOn && sameFile && hasSameContent(before, checked)
    const revised = isSame ? before : await campaigns.revise(before, { ...checked, s3_etag }, reimport)
    if (!isSame) await stopWorkflows(ports, before, `replaced by revision ${revised.revision}`)
    if (revised.status === status.scheduled) {
      await campaigns.saveExecution(revised, (await startSend(sends, revised)).executionArn)
    } else await startImport(imports, revised)
    return { campaign_id: id, status: revised.status }
  },
})
