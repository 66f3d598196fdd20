import { chunkSchema, csvFileSchema } from '@stepwright/csv-chunker/tasks'
import * as z from 'zod/mini'
import { upload } from './object-created.ts'

const text = z.string().check(z.minLength(1))

/** One item of the Map: byte ranges of the file, as ItemBatcher groups them. The rows stay in S3. */
export const csvBatch = z.object({
  BatchInput: z.object({ executionId: text, jobId: text, file: csvFileSchema, upload }),
  Items: z.array(chunkSchema).check(z.minLength(1)),
})

export type CsvBatch = z.output<typeof csvBatch>
