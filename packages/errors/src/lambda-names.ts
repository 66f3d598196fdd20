/** Lambda's own refusals that may be gone at the next attempt: the function has not run. Retry them always. */
export const lambdaTransientNames: readonly string[] = [
  'Lambda.ClientExecutionTimeoutException',
  'Lambda.ServiceException',
  'Lambda.AWSLambdaException',
  'Lambda.SdkClientException',
  'Lambda.TooManyRequestsException',
]

/**
 * How a function dies in the middle of its work: killed, out of memory or out of time. Part of the work may have
 * happened; retry them wherever the function is idempotent.
 */
export const lambdaDeathNames: readonly string[] = [
  'Lambda.Unknown',
  'Runtime.ExitError',
  'Sandbox.Timedout',
  'States.Timeout',
]
