import * as z from 'zod/mini'

export const rowsPerChunk = 5000

/** As many as fit into a state's payload and an execution's history: 10,000,000 rows. */
export const maxChunks = 2000

/** A stretch of the CSV that one call imports. */
export const chunkSchema = z.object({
  index: z.int(),
  offset: z.int(),
  length: z.int(),
  firstRow: z.int(),
  rowCount: z.int(),
})

export const columnsSchema = z.object({ email: z.string(), name: z.nullable(z.string()) })
