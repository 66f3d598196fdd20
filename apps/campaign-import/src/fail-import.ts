import { parseCause } from '@stepwright/errors'
import { defineTask } from '@stepwright/task'
import * as z from 'zod/mini'
import { deleteInBatches, type RecipientPorts } from './delete-existing-recipients.ts'
import { databaseErrors } from './errors.ts'
import { campaignRun } from './schemas.ts'

/**
 * After a mistake of people's: 取込失敗 with the reason, and all recipients deleted. The status comes first: from
 * then on no chunk that is still under way can add any.
 */
export const failImport = defineTask({
  name: 'fail-import',
  input: z.object({ ...campaignRun.shape, error: z.object({ Error: z.string(), Cause: z.string() }) }),
  output: z.object({ deleted: z.int() }),
  errors: databaseErrors,
  async run({ error, ...run }, { campaigns, recipients }: RecipientPorts, { signal, logger }) {
    const { name = error.Error, message, code, details } = parseCause(error)
    const reason = {
      error: name,
      message,
      ...(code !== undefined && { code }),
      ...(details !== undefined && { details }),
    }
    await campaigns.failImport(run, reason)
    const deleted = await deleteInBatches(limit => recipients.deleteAll(run, limit), signal)
    logger.error('import failed', { ...run, error: name, code, deleted })
    return { deleted }
  },
})
