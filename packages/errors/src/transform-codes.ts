import { business, retryable } from './define-error.ts'
import { doubling, type RetryPolicy } from './retry-policy.ts'
import type { BusinessErrorClass, RetryableErrorClass } from './task-error.ts'

// The failure codes of the transform workflow. Its contract fixes the spelling, so the classes carry it.

const once: RetryPolicy = /* @__PURE__ */ doubling(2, 1)
const twice: RetryPolicy = /* @__PURE__ */ doubling(2, 2)

export const PRE_VALIDATION_FAILED: BusinessErrorClass<'PRE_VALIDATION_FAILED'> = /* @__PURE__ */ business(
  'PRE_VALIDATION_FAILED',
  400,
)
/** Already processed, or locked by a run that is: the workflow may treat it as its normal end. */
export const IDEMPOTENT_SKIP: BusinessErrorClass<'IDEMPOTENT_SKIP'> = /* @__PURE__ */ business(
  'IDEMPOTENT_SKIP',
  409,
)
export const NO_RAW_DATA: BusinessErrorClass<'NO_RAW_DATA'> = /* @__PURE__ */ business('NO_RAW_DATA', 404)
export const DQ_FAILED: BusinessErrorClass<'DQ_FAILED'> = /* @__PURE__ */ business('DQ_FAILED')
export const GLUE_JOB_FAILED: RetryableErrorClass<'GLUE_JOB_FAILED'> = /* @__PURE__ */ retryable(
  'GLUE_JOB_FAILED',
  once,
  502,
)
export const CRAWLER_FAILED: RetryableErrorClass<'CRAWLER_FAILED'> = /* @__PURE__ */ retryable(
  'CRAWLER_FAILED',
  twice,
  502,
)
export const SCHEMA_CHECK_FAILED: RetryableErrorClass<'SCHEMA_CHECK_FAILED'> = /* @__PURE__ */ retryable(
  'SCHEMA_CHECK_FAILED',
  once,
  502,
)
export const TIMEOUT: RetryableErrorClass<'TIMEOUT'> = /* @__PURE__ */ retryable('TIMEOUT', once, 504)
export const UNEXPECTED_ERROR: RetryableErrorClass<'UNEXPECTED_ERROR'> = /* @__PURE__ */ retryable(
  'UNEXPECTED_ERROR',
  once,
  500,
)
