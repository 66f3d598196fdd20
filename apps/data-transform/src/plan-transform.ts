import { PRE_VALIDATION_FAILED } from '@stepwright/errors'
import { defineTask } from '@stepwright/task'
import * as z from 'zod/mini'
import { correlationIdOf } from './correlation.ts'
import { maxDaysOfMap, transformPlan } from './plan.ts'
import { daySchema, type InputLimits, parseTransformInput } from './transform-input.ts'

export interface PlanPorts {
  readonly limits: InputLimits
}

/** The first state: the input as the contract has it, in one form whichever way it was said. */
export const planTransform = defineTask({
  name: 'plan-transform',
  description: "Checks an execution's input, and says which days it is about.",
  idempotent: true,
  input: z.object({ input: z.unknown(), executionName: z.string() }),
  output: z.object({
    correlationId: z.string(),
    plan: transformPlan,
    days: z.array(daySchema).check(z.minLength(1), z.maxLength(maxDaysOfMap)),
  }),
  errors: [PRE_VALIDATION_FAILED],
  run({ input, executionName }, { limits }: PlanPorts, { logger }) {
    const { days, execution_id: _, ...plan } = parseTransformInput(input, limits)
    const correlationId = correlationIdOf(input, executionName, days.length === 1 ? days[0] : undefined)
    logger.info('transform planned', { days: days.length })
    return { correlationId, plan, days: [...days] }
  },
})
