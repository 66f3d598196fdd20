import {
  type ByteSource,
  type ByteSourceFacts,
  type CsvProblem,
  type CsvValidation,
  createObjectSource,
  detect,
  type Manifest,
  validate,
} from '@stepwright/csv-chunker'
import { readManifest, splitCsv } from '@stepwright/csv-chunker/tasks'
import { isTaskError, NotFoundError, ValidationError } from '@stepwright/errors'
import { executionName, type S3EventBridgeEvent } from '@stepwright/idempotency'
import { defineTask } from '@stepwright/task'
import * as z from 'zod/mini'
import { csvSource } from './csv-batch.ts'
import type { CsvProcessorPorts } from './ports.ts'
import { fileErrors } from './task-errors.ts'
import { mapColumns } from './user-activity.ts'

const input = z.object({
  bucket: z.string().check(z.minLength(1)),
  key: z.string().check(z.minLength(1)),
  executionId: z.string().check(z.minLength(1)),
  /** Of the object that the event announced. */
  etag: z.optional(z.string()),
  /** The event itself: it names the object version, and so the job. */
  event: z.optional(z.unknown()),
  rowsPerChunk: z._default(z.int().check(z.positive()), 250),
})

/** An answer must fit into the state's payload, and a Cause into 32,768 characters. */
const shownProblems = 20

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
    validationErrors: z
      .array(z.looseObject({ code: z.string(), severity: z.enum(['error', 'warning']), message: z.string() }))
      .check(z.maxLength(shownProblems)),
  }),
  /** The same for every execution of this object version: rows are reflected once per job. */
  jobId: z.string(),
  /** Where the byte ranges are, in place of the rows. */
  manifest: z.object({ bucket: z.string(), key: z.string(), chunkCount: z.int() }),
  file: z.nullable(csvSource),
})

/** CSV_VALIDATION: checks the file's form and writes down, once, how it is cut into byte ranges. */
export const validateCsvFile = /* @__PURE__ */ defineTask({
  name: 'validate-csv-file',
  input,
  output,
  errors: [ValidationError, ...fileErrors],
  async run(
    { bucket, key, executionId, etag, event, rowsPerChunk },
    { storeOf }: Pick<CsvProcessorPorts, 'storeOf'>,
    context,
  ) {
    const { signal, now, metrics } = context
    const store = storeOf(bucket)
    const jobId = event === undefined ? executionId : executionName(event as S3EventBridgeEvent)
    const source = createObjectSource(store, key)
    const { size } = await refuseOtherVersion(source, key, etag, signal)
    const checks = { formulas: 'ignore', maxProblems: shownProblems, signal, now } as const
    const checked = size === 0 ? emptyFile : await validate(source, checks)
    const validation = toAnswer(await checkContent(source, checked, signal))
    metrics.add('CSVValidationDuration', validation.statistics.processingTimeSeconds, 'Seconds')
    const unsplit = { bucket, key: '', chunkCount: 0 }
    if (!validation.isValid) return { ...validation, jobId, manifest: unsplit, file: null }

    const split = splitCsv({ rowsPerChunk, digest: 'none' })
    const { manifestKey, chunkCount } = await split.run({ bucket, key, id: jobId }, { storeOf }, context)
    const manifest = await readManifest(store, manifestKey, signal)
    if (manifest === undefined) throw new NotFoundError(`there is no manifest ${manifestKey}`)
    return {
      ...validation,
      jobId,
      manifest: { bucket, key: manifestKey, chunkCount },
      file: { bucket, key, ...toFile(manifest) },
    }
  },
})

function toAnswer({ statistics, ...validation }: CsvValidation) {
  const validationErrors = statistics.validationErrors.map(problem => ({ ...problem }))
  return { ...validation, statistics: { ...statistics, validationErrors } }
}

function toFile({ source, dialect, columns }: Manifest) {
  return { source: { size: source.size, etag: source.etag ?? '' }, dialect, columns: [...columns] }
}

/** Of an object without bytes no range can be read. */
const emptyFile: CsvValidation = {
  isValid: false,
  rowCount: 0,
  columnCount: 0,
  headerValid: false,
  encoding: 'unknown',
  delimiter: 'unknown',
  statistics: {
    fileSizeBytes: 0,
    processingTimeSeconds: 0,
    validationErrors: [{ code: 'EMPTY_FILE', severity: 'error', message: 'the file is empty' }],
  },
}

/** An object that was replaced since has an event, and a job, of its own. */
async function refuseOtherVersion(
  source: ByteSource,
  key: string,
  announced: string | undefined,
  signal: AbortSignal,
): Promise<ByteSourceFacts> {
  const facts = await source.facts(signal).catch(error => {
    if (!isTaskError(error, NotFoundError)) throw error
    throw new ValidationError(`there is no object ${key}`, { code: 'OBJECT_NOT_FOUND', cause: error })
  })
  const { etag } = facts
  if (announced === undefined || unquoted(etag) === unquoted(announced)) return facts
  throw new ValidationError(`the object ${key} was replaced after it was announced`, {
    code: 'OBJECT_REPLACED',
    details: { key, announced, etag },
  })
}

function unquoted(etag: string | undefined): string | undefined {
  return etag?.replaceAll('"', '')
}

/** A well-formed CSV still needs the right columns, and rows. */
async function checkContent(
  source: ByteSource,
  validation: CsvValidation,
  signal: AbortSignal,
): Promise<CsvValidation> {
  if (validation.columnCount === 0) return validation
  const { firstRecord } = await detect(source, {}, signal)
  const mapping = mapColumns(firstRecord)
  if ('problem' in mapping) {
    return withProblem(
      { ...validation, headerValid: false },
      { code: 'HEADER_MISMATCH', severity: 'error', message: mapping.problem, rowNumber: 0 },
    )
  }
  if (validation.isValid && validation.rowCount === 0) {
    return withProblem(validation, {
      code: 'EMPTY_FILE',
      severity: 'error',
      message: 'the file has a header and no rows',
    })
  }
  return validation
}

function withProblem(validation: CsvValidation, problem: CsvProblem): CsvValidation {
  const { statistics } = validation
  const validationErrors = [problem, ...statistics.validationErrors].slice(0, shownProblems)
  return { ...validation, isValid: false, statistics: { ...statistics, validationErrors } }
}
