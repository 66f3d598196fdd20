export { type BackoffOptions, backoffMs } from './backoff.ts'
export { type Sleep, type SleepOptions, sleep } from './sleep.ts'
export { withRetry } from './with-retry.ts'
