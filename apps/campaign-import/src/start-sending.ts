import { startExecution } from '@stepwright/idempotency/tasks'
import * as z from 'zod/mini'
import { sendName } from './execution-names.ts'
import { campaignRun } from './schemas.ts'

/** State 3, its end: the send workflow, which waits until the time has come. */
export const startSending = startExecution({
  name: 'start-sending',
  event: z.object({ ...campaignRun.shape, scheduled_at: z.string() }),
  executionName: sendName,
})
