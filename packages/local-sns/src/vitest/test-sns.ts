import { randomBytes } from 'node:crypto'
import { provided } from '@stepwright/local-server/vitest'
import { inject } from 'vitest'
import type { Sns } from '../sns.ts'
import type {} from './provided.ts'

export interface TestSns {
  /** For `new SNSClient(clientConfig)`. */
  readonly clientConfig: Sns['clientConfig']
  /** The name that a topic has in this test file only. */
  topicName(name: string): string
}

/** The SNS that the global setup `./vitest/setup` started, with topic names of the calling test file's own. */
export function testSns(): TestSns {
  const clientConfig = provided(inject('stepwrightSns'), '@stepwright/local-sns/vitest/setup')
  const prefix = randomBytes(6).toString('hex')
  return { clientConfig, topicName: name => `${prefix}-${name}` }
}
