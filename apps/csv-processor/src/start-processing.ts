import {
  DataValidationError,
  ForbiddenError,
  NetworkError,
  NotFoundError,
  ServiceUnavailableException,
  ThrottlingException,
} from '@stepwright/errors'
import { executionName } from '@stepwright/idempotency'
import { defineTask } from '@stepwright/task'
import * as z from 'zod/mini'
import { objectCreated } from './object-created.ts'

/** Where executions are started. */
export interface Executions {
  /** False if there is, or was, an execution of this name. */
  start(name: string, input: string, signal: AbortSignal): Promise<boolean>
}

/**
 * What EventBridge calls for "Object Created": a rule that targets a state machine gives every delivery a name
 * of its own, so that the same object would be processed twice.
 */
export const startProcessing = /* @__PURE__ */ defineTask({
  name: 'start-processing',
  input: objectCreated,
  output: z.object({ executionId: z.string(), started: z.boolean() }),
  errors: [
    DataValidationError,
    ForbiddenError,
    NotFoundError,
    NetworkError,
    ServiceUnavailableException,
    ThrottlingException,
  ],
  async run(event, { executions }: { readonly executions: Executions }, { signal, logger }) {
    const executionId = executionName(event)
    const started = await executions.start(executionId, JSON.stringify(event), signal)
    logger.info(started ? 'execution started' : 'event delivered again', { executionId })
    return { executionId, started }
  },
})
