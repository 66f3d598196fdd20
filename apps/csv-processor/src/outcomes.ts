import type { ItemOutcome, RecordOutcomesPorts } from '@stepwright/audit-log/tasks'
import {
  type CountedChunkEntry,
  type ReadOutcomesOptions,
  type ReportedRow,
  type RowError,
  type RowOutcome,
  readOutcomeBatches,
  readOutcomes,
  reportRow,
} from '@stepwright/batch-writer'
import { toEntries } from '@stepwright/batch-writer/tasks'
import type { Row } from '@stepwright/csv-chunker'
import type { CsvChunkEntry } from '@stepwright/csv-chunker/tasks'
import { parseCause } from '@stepwright/errors'
import * as z from 'zod/mini'
import type { CsvBatch } from './csv-batch.ts'
import type { DataPorts } from './data-ports.ts'

type Readers = Pick<DataPorts, 'ledger' | 'readChunk'>

/** What a catcher of a state machine puts into `$.error`. */
export const caughtError = z.object({ Error: z.string(), Cause: z._default(z.string(), '') })

/** Why rows that were not written were not. */
export interface RowFailure {
  readonly logType: Exclude<ItemOutcome['logType'], 'SUCCESS'>
  readonly error: RowError
}

/** An outcome of a row of the file: its index is the row's number. */
export interface LogOutcome extends ItemOutcome {
  readonly userRecord?: Readonly<Record<string, string>> | undefined
  readonly error?: { readonly Error: string; readonly Cause: string }
}

const maxCause = 500

/** Every row of a batch gets it: so without the trace that Lambda adds. */
export function toFailure(logType: RowFailure['logType'], caught: z.output<typeof caughtError>): RowFailure {
  const { name, message } = parseCause(caught)
  return { logType, error: { name: name ?? caught.Error, reason: message.slice(0, maxCause) } }
}

/** Of rows that were said to be reflected: what the ledger does not know was not. */
export const notReflected: RowFailure = {
  logType: 'SYSTEM_ERROR',
  error: { name: 'NotReflected', reason: 'the ledger does not know the row' },
}

/** What became of every row of chunks, as the ledger says; of those that it does not know, the failure. */
export async function* outcomesOfChunks(
  ...given: Parameters<typeof outcomeBatchesOfChunks>
): AsyncGenerator<LogOutcome> {
  for await (const outcomes of outcomeBatchesOfChunks(...given)) yield* outcomes
}

async function* outcomeBatchesOfChunks(
  entries: readonly (CountedChunkEntry & CsvChunkEntry)[],
  failure: RowFailure,
  ports: Readers,
  options: ReadOutcomesOptions,
): AsyncGenerator<Iterable<LogOutcome>> {
  for await (const rows of readOutcomeBatches(entries, ports, options)) yield toLogOutcomes(rows, failure)
}

const reflected = { reflected: true }

function* toLogOutcomes(rows: Iterable<RowOutcome<Row>>, failure: RowFailure): Generator<LogOutcome> {
  for (const row of rows) {
    const { rowNumber: itemIndex, item: userRecord } = row
    const error = row.outcome === 'written' ? undefined : reportRow(row, failure.error).error
    if (error === undefined) yield { itemIndex, userRecord, logType: 'SUCCESS', processResult: reflected }
    else {
      const logType = row.outcome === 'rejected' ? 'BUSINESS_ERROR' : failure.logType
      yield { itemIndex, userRecord, logType, error: { Error: error.name, Cause: error.reason } }
    }
  }
}

/** The same rows, as a report says them. */
export async function* reportChunks(
  entries: readonly (CountedChunkEntry & CsvChunkEntry)[],
  failure: RowFailure,
  ports: Readers,
  options: ReadOutcomesOptions,
): AsyncGenerator<ReportedRow<Row>> {
  for await (const row of readOutcomes(entries, ports, options)) yield reportRow(row, failure.error)
}

/** The port of AUDIT_LOGGING. A system error may well be the database's: then what is known is all there is to record. */
export function createOutcomesOf(ports: Readers): RecordOutcomesPorts<CsvBatch>['outcomesOf'] {
  return ({ logType, userRecord, error }, context) => {
    const isKnown = logType === 'SUCCESS' || error === undefined
    const failure = isKnown ? notReflected : toFailure(logType, caughtError.parse(error))
    const unreachable = logType === 'SYSTEM_ERROR' ? 'unwritten' : 'fail'
    return outcomeBatchesOfChunks(toEntries(userRecord), failure, ports, { ...context, unreachable })
  }
}
