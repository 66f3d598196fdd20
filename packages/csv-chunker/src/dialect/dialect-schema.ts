import * as z from 'zod/mini'
import { type Dialect, encodings, newlines } from './dialect.ts'

/** How a file's bytes become rows, as it travels in payloads and manifests. */
export const dialectSchema: z.ZodMiniType<Dialect, Dialect> = z.object({
  encoding: z.enum(encodings),
  bomBytes: z.int().check(z.nonnegative()),
  delimiter: z.enum([',', ';', '\t', '|']),
  quote: z.enum(['"', "'", '']),
  newline: z.enum(newlines),
  header: z.boolean(),
})
