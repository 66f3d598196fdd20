import type { AcceptedFinding } from '@stepwright/app'

/** What `stepwright check` finds in the state machine, and why it is meant. */
export const accept: readonly AcceptedFinding[] = [
  {
    rule: 'kinds/retryable-not-retried',
    pointer: '/States/ExecuteAIGeneration/Retry',
    reason: 'The design retries four errors. One that ran out of time is TIMEOUT, any other FAILED.',
  },
  {
    rule: 'routes/lambda-transient',
    pointer: '/States/ExecuteAIGeneration/Retry',
    reason: 'What took 300 s is TIMEOUT, as the design says, and not tried for another 300.',
  },
  {
    rule: 'limits/retry-exceeds-timeout',
    pointer: '/States/ExecuteAIGeneration/Retry/0',
    reason: 'The ten minutes of the machine are the limit; the reaper ends its job as TIMEOUT.',
  },
  {
    rule: 'routes/failure-succeeds',
    pointer: '/States/ProcessingCancelled/Type',
    reason: 'Its owner cancelled the job: nobody has to look.',
  },
]
