import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { TaskErrorClass } from '@stepwright/errors'
import { defineTask, type Task } from '@stepwright/task'
import * as z from 'zod/mini'
import type { ChunkLedger, LedgerSummary } from '../chunk-ledger.ts'
import { countSchema, countsSchema, jobIdSchema, rejectedRowSchema } from './schemas.ts'
import { databaseErrors } from './task-errors.ts'

export interface SummarizeLedgerInput {
  readonly jobId: string
}

export interface SummarizeLedgerPorts {
  readonly ledger: Pick<ChunkLedger, 'summarize'>
}

export interface SummarizeLedgerOptions<Input extends StandardSchemaV1, Output extends StandardSchemaV1> {
  /** @default an object with `jobId` */
  readonly input?: Input
  /** @default the input's */
  readonly jobId?: (input: StandardSchemaV1.InferOutput<Input>) => string
  /** How many of the rejected rows are named. @default 100 */
  readonly maxRejectedRows?: number
  /** @default that of a `LedgerSummary` */
  readonly output?: Output
  /** What a state gets to see; may throw, where the sums are not as they should be. @default the summary */
  readonly report?: (
    summary: LedgerSummary,
    input: StandardSchemaV1.InferOutput<Input>,
  ) => StandardSchemaV1.InferInput<Output>
  /** All that it announces, with what `report` throws. @default ValidationError, DatabaseConnectionError, TemporaryError */
  readonly errors?: readonly TaskErrorClass[]
  /** @default 'summarize-ledger' */
  readonly name?: string
  readonly description?: string
}

const ledgerSummary = z.object({
  chunks: countSchema,
  counts: countsSchema,
  rejected: z.array(rejectedRowSchema),
})

/** A task that says what became of all rows of a job, from the ledger: no row is counted again. */
export function summarizeLedger<
  Input extends StandardSchemaV1 = StandardSchemaV1<SummarizeLedgerInput>,
  Output extends StandardSchemaV1 = StandardSchemaV1<LedgerSummary>,
>({
  input = z.object({ jobId: jobIdSchema }) as unknown as Input,
  jobId = given => (given as SummarizeLedgerInput).jobId,
  maxRejectedRows = 100,
  output = ledgerSummary as unknown as Output,
  report = summary => summary as StandardSchemaV1.InferInput<Output>,
  errors = databaseErrors,
  name = 'summarize-ledger',
  description = 'Says how many rows of a job met which fate, and names the first that were rejected.',
}: SummarizeLedgerOptions<Input, Output> = {}): Task<
  StandardSchemaV1.InferInput<Input>,
  StandardSchemaV1.InferOutput<Output>,
  SummarizeLedgerPorts
> {
  return defineTask({
    name,
    description,
    idempotent: true,
    needs: {
      ports: { ledger: 'The ledger that the job was written with, to be read.' },
      permissions: [{ actions: ['rds-db:connect'], on: 'the database user, where it signs in by IAM' }],
    },
    input,
    output,
    errors,
    async run(given, { ledger }: SummarizeLedgerPorts, { signal, remainingMs }) {
      const summary = await ledger.summarize(jobId(given), { maxRejectedRows, signal, remainingMs })
      return report(summary, given)
    },
  })
}
