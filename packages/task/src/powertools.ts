import { Logger } from '@aws-lambda-powertools/logger'
import { Metrics } from '@aws-lambda-powertools/metrics'
import type { LogSink, MetricsSink } from './invocation.ts'

interface Sinks {
  readonly logger: LogSink
  readonly metrics: MetricsSink
}

/** The sinks that are given, and Powertools' own for the rest. */
export function powertoolsFor(serviceName: string, given: Partial<Sinks>): Sinks {
  return {
    logger: given.logger ?? new Logger({ serviceName }),
    metrics: given.metrics ?? new Metrics({ ...namespace(), serviceName }),
  }
}

/** Powertools reads its own variable, which a deployment sets, only where nothing is said. */
function namespace(): { readonly namespace?: string } {
  return process.env['POWERTOOLS_METRICS_NAMESPACE'] ? {} : { namespace: 'Stepwright' }
}
