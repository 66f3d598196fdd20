import { findLock, type IdempotencyStore, idempotent } from '@stepwright/idempotency'
import { type StartJobPorts, shortText, startJobOf } from '@stepwright/progress/tasks'
import * as z from 'zod/mini'
import { actionParams, generationTypes, subgoalParams, taskParams } from './generation.ts'

const common = {
  userId: shortText,
  idempotencyKey: z.optional(shortText),
  targetId: z.optional(shortText),
  /** Of processes of a user that wait, the higher goes first. The API takes it from the token. */
  priority: z._default(z.int().check(z.minimum(0), z.maximum(9)), 0),
  /** Whether the result of the same request, made before, will do. */
  reuse: z._default(z.boolean('must be true or false'), false),
} as const

const request = z.discriminatedUnion(
  'type',
  [
    z.object({ ...common, type: z.literal('SUBGOAL_GENERATION'), params: subgoalParams }),
    z.object({ ...common, type: z.literal('ACTION_GENERATION'), params: actionParams }),
    z.object({ ...common, type: z.literal('TASK_GENERATION'), params: taskParams }),
  ],
  `must be one of ${generationTypes.join(', ')}`,
)

export interface StartPorts extends StartJobPorts {
  readonly idempotency: IdempotencyStore
}

/** Starts a generation, once for each key of a user: what is asked for is checked by its type. */
export const startGeneration = startJobOf(request, {
  ports: { idempotency: 'keeps the idempotency keys of users' },
  use: [
    idempotent({
      key: ({ userId, idempotencyKey }: z.infer<typeof request>) =>
        idempotencyKey === undefined ? undefined : [userId, idempotencyKey],
      keyIsOptional: true,
      store: ({ idempotency }: StartPorts) => idempotency,
      ttlSeconds: 86_400,
      waitSeconds: 10, // a browser does not try again
      maxResultBytes: 6_000_000, // a result that is reused is part of the answer
    }),
  ],
  // After a crash between the job and its answer, the same key gives the same job.
  jobKey: (_, context) => findLock(context)?.key,
})
