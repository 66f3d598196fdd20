import { DataValidationError } from '@stepwright/errors'
import type { MapResult } from '@stepwright/object-store/tasks'
import * as z from 'zod/mini'
import { type CsvBatch, csvBatch } from './csv-batch.ts'
import { caughtError, type RowFailure, toFailure } from './outcomes.ts'

/** A child execution of the Map that has to be looked at row by row. */
export interface DoubtfulChild {
  readonly batch: CsvBatch
  /** Why rows were not reflected, if the batch as a whole failed. */
  readonly failure: RowFailure | undefined
}

export interface MapChildren {
  /** Rows of children all of whose rows were reflected. */
  readonly cleanRows: number
  /** In the order of the file. */
  readonly doubtful: readonly DoubtfulChild[]
}

const succeeded = z.object({
  ...csvBatch.shape,
  processResult: z.optional(z.object({ errorCount: z.int() })),
  error: z.optional(caughtError),
})

/** Clean children are only counted. */
export async function readChildren(results: AsyncIterable<MapResult>): Promise<MapChildren> {
  let cleanRows = 0
  const doubtful: DoubtfulChild[] = []
  for await (const result of results) {
    const child = toChild(result)
    if (child.isClean) cleanRows += child.batch.Items.reduce((sum, { rowCount }) => sum + rowCount, 0)
    else doubtful.push(child)
  }
  return { cleanRows, doubtful: doubtful.sort((a, b) => firstRow(a) - firstRow(b)) }
}

function toChild(result: MapResult): DoubtfulChild & { readonly isClean: boolean } {
  if (result.status === 'SUCCEEDED') {
    const { processResult, error, ...batch } = parse(succeeded, result.output)
    const failure = error && toFailure('BUSINESS_ERROR', error)
    return { batch, isClean: processResult?.errorCount === 0, failure }
  }
  const { error = 'NotProcessed', cause = '' } = result
  const failure = toFailure('SYSTEM_ERROR', { Error: error, Cause: cause })
  return { batch: parse(csvBatch, result.input), isClean: false, failure }
}

function parse<Schema extends z.ZodMiniType>(schema: Schema, value: unknown): z.output<Schema> {
  const { success, data, error } = schema.safeParse(value)
  if (success) return data
  throw new DataValidationError('a result of the Map is not that of a batch', {
    code: 'MAP_RESULT',
    cause: error,
  })
}

function firstRow({ batch }: DoubtfulChild): number {
  return batch.Items[0]?.firstRow ?? 0
}
