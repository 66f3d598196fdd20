import { executionArnOf } from '@stepwright/idempotency'
import { defineTask } from '@stepwright/task'
import * as z from 'zod/mini'
import type { Campaigns } from './campaigns.ts'
import { databaseErrors, SupersededError } from './errors.ts'
import { sendName } from './execution-names.ts'
import { campaignRun, counts } from './schemas.ts'

export interface FinalizePorts {
  readonly campaigns: Campaigns
  readonly sendArn: string
}

/** State 3: 取込中 → 送信予約済, with the counts and where the send workflow is going to run. */
export const finalizeImport = defineTask({
  name: 'finalize-import',
  idempotent: true,
  input: z.object({ ...campaignRun.shape, counts }),
  output: z.object({ ...z.omit(counts, { rejected_rows: true }).shape, scheduled_at: z.string() }),
  errors: [SupersededError, ...databaseErrors],
  async run({ counts: given, ...run }, { campaigns, sendArn }: FinalizePorts, { logger }) {
    const executionArn = executionArnOf(sendArn, sendName(run))
    const { scheduled_at } = await campaigns.finishImport(run, given, executionArn)
    const { rejected_rows: _, ...counted } = given
    logger.info('import finished', { ...run, ...counted })
    return { ...counted, scheduled_at }
  },
})
