import * as z from 'zod/mini'

/** The file that a task works on. */
export interface CsvInput {
  readonly bucket?: string | undefined
  readonly key: string
  /** Of the object that is meant, as an event announces it: another is refused as `OBJECT_REPLACED`. */
  readonly etag?: string | undefined
  readonly versionId?: string | undefined
}

const text = z.string().check(z.minLength(1))

export const csvInputShape: {
  readonly bucket: z.ZodMiniOptional<z.ZodMiniString>
  readonly key: z.ZodMiniString
  readonly etag: z.ZodMiniOptional<z.ZodMiniString>
  readonly versionId: z.ZodMiniOptional<z.ZodMiniString>
} = { bucket: z.optional(text), key: text, etag: z.optional(text), versionId: z.optional(text) }

/** Names a split: the same id always gives the same chunks. */
export const splitId: z.ZodMiniType<string, string> = z.string().check(z.regex(/^[\w.=-]{1,128}$/))

export const rowsPerChunkSchema: z.ZodMiniType<number, number> = z.int().check(z.positive())
