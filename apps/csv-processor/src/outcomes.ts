import type { ItemOutcome, RecordOutcomesPorts } from '@stepwright/audit-log/tasks'
import {
  type CountedChunkEntry,
  type ReadOutcomesOptions,
  type RowOutcome,
  readOutcomeBatches,
} from '@stepwright/batch-writer'
import { toEntries } from '@stepwright/batch-writer/tasks'
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

interface RowError {
  readonly Error: string
  readonly Cause: string
}

/** An outcome of a row of the file: its index is the row's number. */
export interface LogOutcome extends ItemOutcome {
  readonly userRecord?: Readonly<Record<string, string>> | undefined
  readonly error?: RowError
}

const maxCause = 500

/** Every row of a batch gets it: so without the trace that Lambda adds. */
export function toFailure(logType: RowFailure['logType'], caught: z.output<typeof caughtError>): RowFailure {
  const { name, message } = parseCause(caught)
  return { logType, error: { Error: name ?? caught.Error, Cause: message.slice(0, maxCause) } }
}

/** Of rows that were said to be reflected: what the ledger does not know was not. */
export const notReflected: RowFailure = {
  logType: 'SYSTEM_ERROR',
  error: { Error: 'NotReflected', Cause: 'the ledger does not know the row' },
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

function* toLogOutcomes(
  rows: Iterable<RowOutcome<Readonly<Record<string, string>>>>,
  failure: RowFailure,
): Generator<LogOutcome> {
  for (const row of rows) yield toLogOutcome(row, failure)
}

function toLogOutcome(row: RowOutcome<Readonly<Record<string, string>>>, failure: RowFailure): LogOutcome {
  const { rowNumber: itemIndex, item: userRecord } = row
  if (row.outcome === 'rejected') {
    const error = { Error: row.errorName, Cause: row.rejected.reason }
    return { itemIndex, userRecord, logType: 'BUSINESS_ERROR', error }
  }
  if (row.outcome === 'unwritten') return { itemIndex, userRecord, ...failure }
  return { itemIndex, userRecord, logType: 'SUCCESS', processResult: reflected }
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
