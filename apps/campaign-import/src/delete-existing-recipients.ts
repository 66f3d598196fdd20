import { clearScope } from '@stepwright/batch-writer/tasks'
import * as z from 'zod/mini'
import { databaseErrors } from './errors.ts'
import { importJob } from './execution-names.ts'
import { campaignRun } from './schemas.ts'

/** State 0, and after a failure: what imports before revision `below` have brought goes away. */
export const deleteExistingRecipients = clearScope({
  name: 'delete-existing-recipients',
  input: z.object({ ...campaignRun.shape, below: z.int() }),
  target: ({ campaign_id, below, ...run }) => ({
    jobId: importJob({ campaign_id, ...run }),
    scope: { campaign_id, revision: { below } },
  }),
  errors: databaseErrors,
})
