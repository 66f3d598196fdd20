import { logTypes } from '@stepwright/audit-log'
import { defineTask } from '@stepwright/task'
import * as z from 'zod/mini'
import { toAuditEntries } from './audit-entries.ts'
import { caughtError, toRowError } from './caught-error.ts'
import { tolerantLedger } from './chunk-ledger.ts'
import { csvBatch } from './csv-batch.ts'
import type { CsvProcessorPorts } from './ports.ts'
import { notReflected } from './row-outcomes.ts'
import { databaseErrors, storageErrors } from './task-errors.ts'
import { limitTime } from './time-limit.ts'

const input = z.object({
  logType: z.enum(logTypes),
  executionId: z.string().check(z.minLength(1)),
  itemIndex: z.int(),
  userRecord: csvBatch,
  processResult: z.optional(z.unknown()),
  error: z.optional(caughtError),
  timestamp: z.iso.datetime({ offset: true }),
  /** Which try of the batch this is: redriven, it has entries of its own. */
  attempt: z._default(z.int().check(z.positive()), 1),
})

const output = z.object({ recorded: z.int() })

/** Less than the state's TimeoutSeconds of 10. */
const maxSeconds = 9

/** AUDIT_LOGGING: one entry for every row of a batch. Repeated, it changes nothing. */
export const recordOutcomes = /* @__PURE__ */ defineTask({
  name: 'record-outcomes',
  input,
  output,
  errors: [...databaseErrors, ...storageErrors],
  async run(
    { logType, executionId, userRecord, error, timestamp, attempt },
    { ledger, storeOf, audit }: Pick<CsvProcessorPorts, 'ledger' | 'storeOf' | 'audit'>,
    context,
  ) {
    const limits = limitTime(context, maxSeconds)
    const failure =
      logType === 'SUCCESS' || error === undefined ? notReflected : { logType, error: toRowError(error) }
    const batch = { executionId, batch: userRecord, attempt, timestamp, failure }
    // A system error may well be the database's: then what is known is all there is to record.
    const asked = logType === 'SYSTEM_ERROR' ? tolerantLedger(ledger) : ledger
    const entries = toAuditEntries(batch, { ledger: asked, storeOf }, limits)
    return { recorded: await audit.appendAll(entries) }
  },
})
