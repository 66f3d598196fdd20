import { Logger } from '@aws-lambda-powertools/logger'
import { Metrics } from '@aws-lambda-powertools/metrics'
import type { Sinks } from './invocation.ts'

/** The sinks that are given, and Powertools' own for the rest. */
export function powertoolsFor(serviceName: string, given: Partial<Sinks>): Sinks {
  let { logger } = given
  return {
    /** Made for the first line: most calls write none, and a cold start need not wait for it. */
    get logger() {
      logger ??= new Logger({ serviceName })
      return logger
    },
    metrics:
      given.metrics ??
      new Metrics({ namespace: process.env['POWERTOOLS_METRICS_NAMESPACE'] || 'Stepwright', serviceName }),
  }
}
