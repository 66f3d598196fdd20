import { defineBusinessError } from '@stepwright/errors'
import * as z from 'zod/mini'

/** More rows failed than the workflow tolerates. What was written stays; the rejected rows are in a file. */
export class ToleranceExceededError extends defineBusinessError('ToleranceExceededError') {}

export const tolerance = z.object({
  toleratedFailurePercentage: z.number(),
  toleratedFailureCount: z.number(),
})

/** Either limit is one too many. */
export function isExceeded(
  errorCount: number,
  totalRecords: number,
  { toleratedFailurePercentage, toleratedFailureCount }: z.output<typeof tolerance>,
): boolean {
  return errorCount > toleratedFailureCount || errorCount * 100 > toleratedFailurePercentage * totalRecords
}
