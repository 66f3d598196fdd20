import { startJobOf } from '@stepwright/progress/tasks'
import * as z from 'zod/mini'
import { actionParams, subgoalParams, taskParams } from './generation.ts'

const shortText = /* @__PURE__ */ z.string().check(z.minLength(1), z.maxLength(256))

const common = {
  userId: shortText,
  idempotencyKey: z.optional(shortText),
  targetId: z.optional(shortText),
  /** When workers are short, the higher goes first. */
  priority: z._default(z.int().check(z.minimum(0), z.maximum(9)), 0),
  /** Whether the result of the same request, made before, will do. */
  reuse: z._default(z.boolean(), false),
} as const

/** Starts a generation: what is asked for is checked by its type. */
export const startGeneration = /* @__PURE__ */ startJobOf(
  z.discriminatedUnion('type', [
    z.object({ ...common, type: z.literal('SUBGOAL_GENERATION'), params: subgoalParams }),
    z.object({ ...common, type: z.literal('ACTION_GENERATION'), params: actionParams }),
    z.object({ ...common, type: z.literal('TASK_GENERATION'), params: taskParams }),
  ]),
)
