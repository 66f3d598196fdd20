import { randomBytes } from 'node:crypto'
import { provided } from '@stepwright/local-server/vitest'
import { inject } from 'vitest'
import type { EventBridge } from '../eventbridge.ts'
import type {} from './provided.ts'

export interface TestEventBridge {
  /** For `new EventBridgeClient(clientConfig)`. */
  readonly clientConfig: EventBridge['clientConfig']
  /** The name that a bus has in this test file only. */
  busName(name: string): string
}

/** The EventBridge that the global setup `./vitest/setup` started, with bus names of the calling test file's own. */
export function testEventBridge(): TestEventBridge {
  const clientConfig = provided(inject('stepwrightEventBridge'), '@stepwright/local-eventbridge/vitest/setup')
  const prefix = randomBytes(6).toString('hex')
  return { clientConfig, busName: name => `${prefix}-${name}` }
}
