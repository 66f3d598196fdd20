import { CSVValidationError } from '@stepwright/errors'
import { defineTask } from '@stepwright/task'
import * as z from 'zod/mini'
import type { ImportSummary } from './campaigns.ts'
import { deleteInBatches, type RecipientPorts } from './delete-existing-recipients.ts'
import { databaseErrors, SupersededError, serviceErrors } from './errors.ts'
import { campaignRun } from './schemas.ts'
import type { Workflows } from './workflows.ts'

export interface FinalizePorts extends RecipientPorts {
  readonly workflows: Workflows
  /** How many rows of a file may be left out. */
  readonly maxRejectedRows: number
}

const shownRows = 100

/** State 3: counts, 取込中 → 送信予約済, then the send workflow. Each step may be done again. */
export const finalizeImport = defineTask({
  name: 'finalize-import',
  input: campaignRun,
  output: z.object({
    total_count: z.int(),
    duplicate_count: z.int(),
    rejected_count: z.int(),
    execution_arn: z.string(),
  }),
  errors: [CSVValidationError, SupersededError, ...databaseErrors, ...serviceErrors],
  async run(run, { campaigns, recipients, workflows, maxRejectedRows }: FinalizePorts, { signal, logger }) {
    await deleteInBatches(limit => recipients.deleteEarlier(run, limit), signal)
    const summary = await recipients.summarize(run, shownRows)
    refuseUseless(summary, maxRejectedRows)
    const { scheduled_at } = await campaigns.finishImport(run, summary)
    const execution_arn = await workflows.startSend(run, scheduled_at)
    await campaigns.saveExecution(run, execution_arn)
    const { total, duplicates, rejected } = summary
    logger.info('import finished', { ...run, total, duplicates, rejected })
    return { total_count: total, duplicate_count: duplicates, rejected_count: rejected, execution_arn }
  },
})

function refuseUseless({ total, rejected, rejectedRows }: ImportSummary, maxRejectedRows: number): void {
  const [first] = rejectedRows
  const example = first ? `; the first is row ${first.row}: ${first.reason}` : ''
  const details = { rejected, rows: rejectedRows.slice(0, 10) }
  if (rejected > maxRejectedRows) {
    throw new CSVValidationError(`${rejected} rows have no usable address${example}`, {
      code: 'TOO_MANY_REJECTED_ROWS',
      details,
    })
  }
  if (total === 0) {
    throw new CSVValidationError(`the file has no recipient${example}`, { code: 'NO_RECIPIENTS', details })
  }
}
