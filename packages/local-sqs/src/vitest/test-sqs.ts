import { randomBytes } from 'node:crypto'
import { provided } from '@stepwright/local-server/vitest'
import { inject } from 'vitest'
import type { Sqs } from '../sqs.ts'
import type {} from './provided.ts'

export interface TestSqs {
  /** For `new SQSClient(clientConfig)`. */
  readonly clientConfig: Sqs['clientConfig']
  /** The name that a queue has in this test file only. */
  queueName(name: string): string
}

/** The SQS that the global setup `./vitest/setup` started, with queue names of the calling test file's own. */
export function testSqs(): TestSqs {
  const clientConfig = provided(inject('stepwrightSqs'), '@stepwright/local-sqs/vitest/setup')
  const prefix = randomBytes(6).toString('hex')
  return { clientConfig, queueName: name => `${prefix}-${name}` }
}
