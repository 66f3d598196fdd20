import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { TaskErrorClass } from '@stepwright/errors'
import { defineTask, type Task, type TaskContext } from '@stepwright/task'
import * as z from 'zod/mini'
import { type AuditFields, type LogType, logTypes, type NewAuditEntry } from './audit-entry.ts'
import {
  type AuditPorts,
  attemptSchema,
  executionIdSchema,
  recordNeeds,
  timestampSchema,
} from './audit-task.ts'
import { isMany } from './one-by-one.ts'
import { auditTaskErrors } from './task-errors.ts'

/** What became of one item of a batch. */
export interface ItemOutcome extends AuditFields {
  readonly itemIndex: number
  readonly logType: LogType
}

/** An AUDIT_LOGGING event about a batch of items, which `userRecord` describes. */
export interface RecordOutcomesInput<Batch> {
  readonly executionId: string
  /** What became of the batch as a whole. */
  readonly logType: LogType
  readonly userRecord: Batch
  readonly processResult?: unknown
  readonly error?: unknown
  /** Of the event, not of the call: a call that is repeated must record the same. */
  readonly timestamp: string
  /** Which try of the batch this is: redriven, it has entries of its own. @default 1 */
  readonly attempt?: number | undefined
  /** Whether items that have an entry already are left out, whatever it says. @default false */
  readonly onlyMissing?: boolean | undefined
}

export interface RecordOutcomesPorts<Batch> extends AuditPorts {
  /**
   * What became of every item of the batch, in the order of the items, the same whenever it is asked. What it says
   * of an item counts, not what the event says of the batch. Many at a time is quicker.
   */
  readonly outcomesOf: (
    event: RecordOutcomesInput<Batch>,
    context: TaskContext,
  ) => Iterable<ItemOutcome> | AsyncIterable<ItemOutcome | Iterable<ItemOutcome>>
}

export interface RecordOutcomesOptions<Batch> {
  /** What `userRecord` must be: zod's or zod/mini's. */
  readonly batch: z.core.$ZodType<Batch>
  /** What `outcomesOf` may fail with. @default none */
  readonly errors?: readonly TaskErrorClass[]
}

/** Records what became of every item of a batch: one entry each. A repeated call is harmless. */
export function recordOutcomes<Batch>({
  batch,
  errors = [],
}: RecordOutcomesOptions<Batch>): Task<
  RecordOutcomesInput<Batch>,
  { readonly recorded: number },
  RecordOutcomesPorts<Batch>
> {
  const input = z.object({
    executionId: executionIdSchema,
    logType: z.enum(logTypes),
    userRecord: batch,
    processResult: z.optional(z.unknown()),
    error: z.optional(z.unknown()),
    timestamp: timestampSchema,
    attempt: z._default(attemptSchema, 1),
    onlyMissing: z._default(z.boolean(), false),
  }) as unknown as StandardSchemaV1<RecordOutcomesInput<Batch>>
  return defineTask({
    name: 'record-outcomes',
    description: 'Adds an entry to the trail for every item of a batch: what became of it.',
    idempotent: true,
    needs: {
      ports: { ...recordNeeds.ports, outcomesOf: 'says what became of every item of a batch' },
      permissions: recordNeeds.permissions,
    },
    input,
    output: z.object({ recorded: z.int() }),
    errors: [...auditTaskErrors, ...errors],
    async run(event, { audit, outcomesOf }: RecordOutcomesPorts<Batch>, context) {
      const entries = toEntries(event, outcomesOf(event, context))
      const recorded = await (event.onlyMissing ? audit.appendMissing(entries) : audit.appendAll(entries))
      return { recorded }
    },
  })
}

async function* toEntries(
  { executionId, attempt, timestamp }: RecordOutcomesInput<unknown>,
  outcomes: Iterable<ItemOutcome> | AsyncIterable<ItemOutcome | Iterable<ItemOutcome>>,
): AsyncGenerator<Iterable<NewAuditEntry>> {
  function* toMany(many: Iterable<ItemOutcome>): Generator<NewAuditEntry> {
    for (const { itemIndex, logType, userRecord, processResult, error } of many) {
      yield { executionId, itemIndex, attempt, logType, timestamp, userRecord, processResult, error }
    }
  }
  for await (const some of outcomes) yield toMany(isMany(some) ? some : [some])
}
