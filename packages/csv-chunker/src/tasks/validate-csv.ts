import type { StandardSchemaV1 } from '@standard-schema/spec'
import { isTaskError, NotFoundError, ValidationError } from '@stepwright/errors'
import { defineTask, type Task } from '@stepwright/task'
import * as z from 'zod/mini'
import type { CsvProblem } from '../csv-problem.ts'
import { createObjectSource } from '../source/object-source.ts'
import { type CsvValidation, type ValidateOptions, validate } from '../validate/validate.ts'
import { type CsvPorts, storeErrors } from './csv-store.ts'

export interface ValidateCsvOptions extends Omit<ValidateOptions, 'signal' | 'now'> {
  /** Whether an invalid file is an answer with `isValid: false`, or a `ValidationError`. @default 'return' */
  readonly onInvalid?: 'return' | 'throw'
}

export interface ValidateCsvInput {
  readonly bucket?: string | undefined
  readonly key: string
}

const input = z.object({ bucket: z.optional(z.string()), key: z.string().check(z.minLength(1)) })

const problem = z.looseObject({
  code: z.string(),
  severity: z.enum(['error', 'warning']),
  message: z.string(),
})

const output: StandardSchemaV1<CsvValidation> = z.object({
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
})

/** How many problems an error carries: it must fit into a state's payload. */
const carriedProblems = 10

/** The task behind `ValidateCSVFile`: checks one object and answers field by field. */
export function validateCsv(
  options: ValidateCsvOptions = {},
): Task<ValidateCsvInput, CsvValidation, CsvPorts> {
  const { onInvalid = 'return', ...checks } = options
  return defineTask({
    name: 'validate-csv',
    input,
    output,
    errors: [ValidationError, ...storeErrors],
    async run({ bucket, key }, { storeOf }: CsvPorts, { signal, now, logger }) {
      const answer = await validate(createObjectSource(storeOf(bucket), key), {
        ...checks,
        signal,
        now,
      }).catch(refuseMissing(key))
      const { isValid, rowCount, statistics } = answer
      logger.info('CSV validated', { key, isValid, rowCount, problems: statistics.validationErrors.length })
      if (!isValid && onInvalid === 'throw') throw invalid(key, answer)
      return answer
    },
  })
}

function invalid(key: string, { statistics: { validationErrors } }: CsvValidation): ValidationError {
  const [first] = validationErrors.filter(({ severity }) => severity === 'error')
  return new ValidationError(`${key} is invalid: ${first?.message}`, {
    code: first?.code,
    details: { key, problems: validationErrors.slice(0, carriedProblems) },
  })
}

/** A file that is not there was never a valid one: the state machine has one way out for both. */
function refuseMissing(key: string) {
  return (error: unknown): never => {
    if (!isTaskError(error, NotFoundError)) throw error
    throw new ValidationError(`there is no object ${key}`, {
      code: 'OBJECT_NOT_FOUND',
      details: { key },
      cause: error,
    })
  }
}
