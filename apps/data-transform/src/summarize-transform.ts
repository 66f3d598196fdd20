import { defineTask } from '@stepwright/task'
import * as z from 'zod/mini'
import { correlationIdOf } from './correlation.ts'
import { partitionName } from './dataset.ts'
import { describeFailure, stateFailure } from './failure.ts'
import {
  type DayResult,
  dayResult,
  type FailurePayload,
  failurePayload,
  type TransformFailure,
  type TransformOutput,
  transformOutput,
} from './outputs.ts'
import { type TransformPlan, transformPlan } from './plan.ts'

const maxWarnings = 20
const maxErrors = 50
const summarizeInput = z.object({
  executionName: z.string(),
  /** As the execution was started. */
  input: z.unknown(),
  /** Missing where the input was wrong. */
  correlationId: z.optional(z.string()),
  plan: z.optional(transformPlan),
  days: z.optional(z.array(dayResult)),
  crawled: z.optional(z.boolean()),
  /** What ended the execution before its time. */
  error: z.optional(stateFailure),
})

/** The last state: the answer of the contract, whichever way the execution went. */
export const summarizeTransform = defineTask({
  name: 'summarize-transform',
  description: 'Makes the answer of an execution, or the payload of its failure.',
  idempotent: true,
  input: summarizeInput,
  output: z.union([transformOutput, failurePayload]),
  errors: [],
  run(given, _ports: Record<never, never>, { logger }): TransformOutput | FailurePayload {
    const { plan, days = [], crawled = false } = given
    const correlationId = given.correlationId ?? correlationIdOf(given.input, given.executionName)
    const errors = [...days.flatMap(day => (day.ok ? [] : [day.error])), ...ownFailure(given)]
    const report = { correlationId, ...(plan && reportOf(plan, days)) }
    const [error] = errors
    if (error !== undefined) {
      logger.error('transform failed', { code: error.code, failures: errors.length })
      return { ok: false, ...report, error, ...(errors.length > 1 && { errors: errors.slice(0, maxErrors) }) }
    }
    logger.info('transform succeeded', { days: days.length, crawled })
    const proceed = days.some(day => day.ok && day.proceed && !day.rewrite)
    return { ok: true, proceed, crawled, ...report } as TransformOutput
  },
})

function ownFailure({ error, plan, days }: z.infer<typeof summarizeInput>): readonly TransformFailure[] {
  if (error === undefined) return []
  const [only, ...others] = (days ?? []).filter(day => !day.rewrite)
  const isOfOneDay = plan !== undefined && only !== undefined && others.length === 0
  return [{ ...describeFailure(error), ...(isOfOneDay && { partition: partitionName(only) }) }]
}

/** The cause of a failed execution has at most 32,768 characters. */
function shorten(warnings: readonly string[]): string[] {
  const more = warnings.length - maxWarnings
  if (more <= 0) return [...warnings]
  return [...warnings.slice(0, maxWarnings), `and ${more} more: the manifests have all`]
}

function reportOf({ domain, table_name }: TransformPlan, days: readonly DayResult[]) {
  const succeeded = days.filter(day => day.ok)
  const failed = days.filter(day => !day.ok)
  const good = succeeded.filter(day => !day.rewrite)
  const published = good.filter(day => day.published)
  const rewritten = succeeded.filter(day => day.rewrite && day.proceed)
  const sum = (of: 'rowCount' | 'bytesWritten' | 'fileCount') =>
    published.reduce((total, { stats }) => total + stats[of], 0)
  return {
    domain,
    table_name,
    partitions: published.map(partitionName),
    skipped: good.filter(day => !day.proceed).map(partitionName),
    stats: { rowCount: sum('rowCount'), bytesWritten: sum('bytesWritten'), fileCount: sum('fileCount') },
    ...(rewritten.length > 0 && { rewritten: rewritten.map(partitionName) }),
    glueRunIds: [...published, ...rewritten, ...failed].flatMap(({ glueRunIds }) => glueRunIds),
    warnings: shorten(good.flatMap(day => day.warnings.map(warning => `${partitionName(day)}: ${warning}`))),
  }
}
