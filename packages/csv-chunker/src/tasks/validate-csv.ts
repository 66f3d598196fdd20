import type { StandardSchemaV1 } from '@standard-schema/spec'
import { CSVValidationError, ValidationError } from '@stepwright/errors'
import { defineTask, type Task } from '@stepwright/task'
import * as z from 'zod/mini'
import type { CsvProblem } from '../csv-problem.ts'
import { assertCsvOptions } from '../options.ts'
import { createObjectSource } from '../source/object-source.ts'
import type { ChunkOptions } from '../split/chunk-options.ts'
import { type CsvFile, csvFileSchema } from '../split/csv-file.ts'
import { type CsvValidation, check, type ValidateOptions } from '../validate/validate.ts'
import { type CsvInput, csvInputShape, rowsPerChunkSchema, splitId } from './csv-input.ts'
import { type CsvPorts, csvNeeds, csvTaskErrors } from './csv-store.ts'
import { type FileError, toFileError } from './file-error.ts'
import { freezeManifest, manifestKeyOf } from './manifest-store.ts'

export interface ValidateCsvOptions<Input extends StandardSchemaV1 = StandardSchemaV1<ValidateCsvInput>>
  extends Omit<ValidateOptions, 'signal' | 'now'> {
  /** What the handler is called with, such as an S3 event. @default a `ValidateCsvInput` */
  readonly input?: Input
  /** The file that an input means. @default the input */
  readonly target?: (input: StandardSchemaV1.InferOutput<Input>) => ValidateCsvInput
  /** Whether an invalid file is an answer with `isValid: false`, or an error. @default 'return' */
  readonly onInvalid?: 'return' | 'throw'
  /** As what a file that is missing, was replaced or is refused is reported. @default 'ValidationError' */
  readonly fileError?: FileError
  /** Cuts a valid file into byte ranges in the same scan, and writes the manifest once for the input's `id`. */
  readonly split?: ChunkOptions
  /** An answer must fit into a state's payload, and a Cause into 32,768 characters. @default 20 */
  readonly maxProblems?: number
}

export interface ValidateCsvInput extends CsvInput {
  /** Names the split, where there is one: the same id always gives the same chunks. */
  readonly id?: string | undefined
  /** Instead of the option of the same name. */
  readonly rowsPerChunk?: number | undefined
}

export interface ValidateCsvOutput extends CsvValidation {
  /** Names the split; absent where there is none. */
  readonly id?: string | undefined
  /** What a worker needs besides its chunk; null if the file is invalid. */
  readonly file: CsvFile | null
  /** Where the chunks are written down; null if the file is invalid or was not to be split. */
  readonly manifest: ManifestPlace | null
}

export interface ManifestPlace {
  readonly bucket?: string | undefined
  readonly key: string
  readonly chunkCount: number
}

const input = z.object({
  ...csvInputShape,
  id: z.optional(splitId),
  rowsPerChunk: z.optional(rowsPerChunkSchema),
})

const problem = z.looseObject({
  code: z.string(),
  severity: z.enum(['error', 'warning']),
  message: z.string(),
})

const output = z.object({
  isValid: z.boolean(),
  rowCount: z.int(),
  columnCount: z.int(),
  headerValid: z.boolean(),
  encoding: z.string(),
  delimiter: z.string(),
  statistics: z.object({
    fileSizeBytes: z.int(),
    processingTimeSeconds: z.number(),
    validationErrors: z.array(problem as z.ZodMiniType as z.ZodMiniType<CsvProblem, CsvProblem>),
  }),
  id: z.optional(splitId),
  file: z.nullable(csvFileSchema),
  manifest: z.nullable(z.object({ bucket: z.optional(z.string()), key: z.string(), chunkCount: z.int() })),
})

const splitOutput = z.object({ ...output.shape, id: splitId })

/** How many problems an error carries: it must fit into a state's payload. */
const carriedProblems = 10

/** The handler behind `ValidateCSVFile`: checks one object, from one HEAD and one scan, and answers field by field. */
export function validateCsv<Input extends StandardSchemaV1>(
  options: ValidateCsvOptions<Input> & { readonly input: Input },
): Task<StandardSchemaV1.InferInput<Input>, ValidateCsvOutput, CsvPorts>
export function validateCsv(
  options?: Omit<ValidateCsvOptions, 'input' | 'target'>,
): Task<ValidateCsvInput, ValidateCsvOutput, CsvPorts>
export function validateCsv(
  // biome-ignore lint/suspicious/noExplicitAny: whatever input a schema gives; the overloads say which
  options: ValidateCsvOptions<StandardSchemaV1<any>> = {},
): Task<unknown, ValidateCsvOutput, CsvPorts> {
  assertCsvOptions('validateCsv', options)
  const { onInvalid = 'return', fileError, split, maxProblems = 20, ...rest } = options
  const { input: own, target = given => given as ValidateCsvInput, ...checks } = rest
  return defineTask({
    name: 'validate-csv',
    description: 'Checks the form of a CSV and, if asked, writes down in the same scan where its chunks lie.',
    idempotent: true,
    needs: csvNeeds,
    input: own ?? (split ? z.object({ ...input.shape, id: splitId }) : input),
    output: (split ? splitOutput : output) as StandardSchemaV1<ValidateCsvOutput>,
    errors: csvTaskErrors,
    async run(given, { storeOf }: CsvPorts, context) {
      const { bucket, key, etag, versionId, id, rowsPerChunk } = target(given)
      const { signal, now, logger, metrics } = context
      const store = storeOf(bucket)
      const place = bucket === undefined ? { key } : { bucket, key }
      try {
        const { validation, form, manifest } = await check(
          createObjectSource(store, key, { etag, versionId }),
          { ...checks, maxProblems, signal, now },
          split && { ...split, ...(rowsPerChunk !== undefined && { rowsPerChunk }) },
        )
        const { isValid, rowCount, statistics } = validation
        metrics.add('CSVValidationDuration', statistics.processingTimeSeconds, 'Seconds')
        logger.info('CSV validated', { key, isValid, rowCount, problems: statistics.validationErrors.length })
        if (!isValid && onInvalid === 'throw') throw invalid(key, validation, fileError)
        const file = form ? { ...place, ...form } : null
        const named = id === undefined ? {} : { id }
        if (!manifest || id === undefined) return { ...validation, ...named, file, manifest: null }
        const manifestKey = manifestKeyOf(id)
        const { chunks } = await freezeManifest(store, manifestKey, manifest, signal)
        return {
          ...validation,
          ...named,
          file,
          manifest: { ...place, key: manifestKey, chunkCount: chunks.length },
        }
      } catch (error) {
        throw toFileError(error, key, fileError)
      }
    },
  })
}

function invalid(key: string, { statistics: { validationErrors } }: CsvValidation, as?: FileError): Error {
  const [first] = validationErrors.filter(({ severity }) => severity === 'error')
  const errorClass = as === 'CSVValidationError' ? CSVValidationError : ValidationError
  return new errorClass(`the file is invalid: ${first?.message}`, {
    code: first?.code,
    details: { key, problems: validationErrors.slice(0, carriedProblems) },
  })
}
