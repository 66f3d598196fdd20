import * as z from 'zod/mini'
import type { Dialect } from './dialect.ts'

/** How a file's bytes become rows, as it travels in payloads and manifests. */
export const dialectSchema: z.ZodMiniType<Dialect, Dialect> = z.object({
  encoding: z.enum(['UTF-8', 'UTF-16LE', 'UTF-16BE', 'Shift_JIS', 'EUC-JP', 'ISO-8859-1']),
  bomBytes: z.int().check(z.nonnegative()),
  delimiter: z.enum([',', ';', '\t', '|']),
  quote: z.enum(['"', "'", '']),
  newline: z.enum(['LF', 'CRLF', 'CR']),
  header: z.boolean(),
})
