import { parseCause } from '@stepwright/errors'
import { defineTask } from '@stepwright/task'
import * as z from 'zod/mini'
import type { Campaigns } from './campaigns.ts'
import { databaseErrors } from './errors.ts'
import { campaignRun } from './schemas.ts'

/**
 * After a mistake of people's: 取込失敗 with the reason. From then on no chunk that is still under way can add any
 * recipient, and the next state deletes them all.
 */
export const failImport = defineTask({
  name: 'fail-import',
  idempotent: true,
  input: z.object({ ...campaignRun.shape, error: z.object({ Error: z.string(), Cause: z.string() }) }),
  output: z.object({}),
  errors: databaseErrors,
  async run({ error, ...run }, { campaigns }: { campaigns: Campaigns }, { logger }) {
    const { name = error.Error, message, code, details } = parseCause(error)
    const reason = {
      error: name,
      message,
      ...(code !== undefined && { code }),
      ...(details !== undefined && { details }),
    }
    await campaigns.failImport(run, reason)
    logger.error('import failed', { ...run, error: name, code })
    return {}
  },
})
