import { type ByteSource, createObjectSource, detect } from '@stepwright/csv-chunker'
import { type CsvStore, splitCsv } from '@stepwright/csv-chunker/tasks'
import { CSVValidationError } from '@stepwright/errors'
import { defineTask } from '@stepwright/task'
import * as z from 'zod/mini'
import { blameTheFile } from './blame-the-file.ts'
import type { Campaigns } from './campaigns.ts'
import { chunkSchema, columnsSchema, maxChunks, rowsPerChunk } from './chunk.ts'
import { databaseErrors, SupersededError, serviceErrors } from './errors.ts'
import { beginsWithRecipient, findColumns } from './recipient-columns.ts'
import { campaignRun, s3Key } from './schemas.ts'

export interface SplitPorts {
  readonly campaigns: Campaigns
  readonly store: CsvStore
}

/** State 1: finds where each 5,000 rows of the CSV begin and end, and which columns hold what. */
export const splitRecipients = defineTask({
  name: 'split-recipients',
  input: z.object({ ...campaignRun.shape, s3_key: s3Key }),
  output: z.object({
    manifest_key: z.string(),
    row_count: z.int(),
    columns: columnsSchema,
    chunks: z.array(chunkSchema).check(z.maxLength(maxChunks)),
  }),
  errors: [CSVValidationError, SupersededError, ...databaseErrors, ...serviceErrors],
  async run({ s3_key, ...run }, { campaigns, store }: SplitPorts, context) {
    await campaigns.requireCurrent(run)
    try {
      const source = createObjectSource(store, s3_key)
      await refuseEmpty(source, context.signal)
      const { firstRecord } = await detect(source, {}, context.signal)
      const header = !beginsWithRecipient(firstRecord)
      const split = splitCsv({ rowsPerChunk, digest: 'none', dialect: { header } })
      const made = await split.run(
        { key: s3_key, id: `${run.campaign_id}-${run.revision}` },
        { storeOf: () => store },
        context,
      )
      if (made.chunkCount > maxChunks) throw tooManyRows(made.rowCount)
      const { email, name = null } = findColumns(made.columns, firstRecord, header)
      await campaigns.saveRowCount(run, made.rowCount)
      return {
        manifest_key: made.manifestKey,
        row_count: made.rowCount,
        columns: { email, name },
        chunks: made.chunks.map(({ index, offset, length, firstRow, rowCount }) => ({
          index,
          offset,
          length,
          firstRow,
          rowCount,
        })),
      }
    } catch (error) {
      throw blameTheFile(error, s3_key)
    }
  },
})

async function refuseEmpty(source: ByteSource, signal: AbortSignal): Promise<void> {
  const { size } = await source.facts(signal)
  if (size === 0) throw new CSVValidationError('the file is empty', { code: 'EMPTY_FILE' })
}

function tooManyRows(rowCount: number): CSVValidationError {
  return new CSVValidationError(`the file has ${rowCount} rows: split it into several campaigns`, {
    code: 'TOO_MANY_ROWS',
    details: { rowCount },
  })
}
