// What a careful user writes with middy and Powertools for the same guarantees: input and output checked,
// named errors, one log line a failure, three metrics, the payload limit, an early time-out.
import { Logger } from '@aws-lambda-powertools/logger'
import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware'
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics'
import { logMetrics } from '@aws-lambda-powertools/metrics/middleware'
import middy from '@middy/core'
import type { Context } from 'aws-lambda'
import { input, output, stock } from './schemas.ts'

class OutOfStock extends Error {
  override readonly name = 'OutOfStock'
}
class DataValidationError extends Error {
  override readonly name = 'DataValidationError'
}
class PayloadTooLargeError extends Error {
  override readonly name = 'PayloadTooLargeError'
}
class TaskTimeoutError extends Error {
  override readonly name = 'TaskTimeoutError'
}
class UnexpectedError extends Error {
  override readonly name = 'UnexpectedError'
}
const known = [OutOfStock, DataValidationError, PayloadTooLargeError, TaskTimeoutError]

const logger = new Logger({ serviceName: 'reserve-stock' })
const metrics = new Metrics({ namespace: 'Handwritten', serviceName: 'reserve-stock' })

async function reserve(event: unknown): Promise<{ left: number }> {
  const parsed = input.safeParse(event)
  if (!parsed.success) {
    const issues = parsed.error.issues.map(issue => `${issue.path.join('.')}: ${issue.message}`)
    throw new DataValidationError(issues.join('; '))
  }
  const { count } = parsed.data
  if (count > stock.left) throw new OutOfStock(`only ${stock.left} left`)
  metrics.addMetric('Reserved', MetricUnit.Count, count)
  return output.parse({ left: stock.left - count })
}

export const handler = middy(
  async (event: unknown, context: Context) => {
    const started = Date.now()
    let succeeded = false
    try {
      const result = await reserve(event)
      const bytes = Buffer.byteLength(JSON.stringify(result))
      if (bytes > 262_144) throw new PayloadTooLargeError(`the result has ${bytes} bytes`)
      succeeded = true
      return result
    } catch (error) {
      logger.error('reserve-stock failed', error as Error)
      metrics.addMetadata('error', (error as Error).name)
      if (known.some(errorClass => error instanceof errorClass)) throw error
      throw new UnexpectedError(String(error), { cause: error })
    } finally {
      metrics.addMetadata('request_id', context.awsRequestId)
      metrics.addMetric(succeeded ? 'TaskSucceeded' : 'TaskFailed', MetricUnit.Count, 1)
      metrics.addMetric('TaskDuration', MetricUnit.Milliseconds, Date.now() - started)
    }
  },
  {
    timeoutEarlyInMillis: 1_000,
    timeoutEarlyResponse: () => {
      throw new TaskTimeoutError('out of time')
    },
  },
)
  .use(injectLambdaContext(logger))
  .use(logMetrics(metrics))
