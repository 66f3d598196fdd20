import { setTimeout as wait } from 'node:timers/promises'
import {
  createDelivery,
  createJsonProtocol,
  createUnderWay,
  type LocalService,
  localRegion,
  type RefusalOf,
  startLocalService,
  type TargetEndpoints,
} from '@stepwright/local-server'
import { createOperations } from './api/operations.ts'
import type { BusEvent } from './rules/event.ts'
import { createRules } from './rules/rules.ts'

export interface EventBridgeOptions {
  /** @default a free one */
  readonly port?: number
  /** Where the services are that rules deliver to. @default none */
  readonly targets?: TargetEndpoints
  /** @default '000000000000' */
  readonly account?: string
  /** Why a caller may not do what it asks for, if it may not. @default everybody may do everything */
  readonly refusalOf?: RefusalOf
  /** @default Date.now */
  readonly now?: () => number
  /** What schedules wait with. @default setTimeout, which keeps no process alive */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>
  /** Hears of what could not be delivered. @default a warning of the process */
  readonly onProblem?: (message: string) => void
}

export interface EventBridge extends LocalService {
  /** Delivers an event of a service, such as S3's, which PutEvents would refuse. Resolves when it is delivered. */
  publish(event: PublishedEvent, busName?: string): Promise<void>
  /** Stops schedules, waits for what is being delivered, and forgets all rules. Later calls do nothing. */
  stop(): Promise<void>
}

/** An event of a service, which need not say whose and where it is. */
export type PublishedEvent = Omit<BusEvent, 'account' | 'region' | 'resources'> & Partial<BusEvent>

/** Starts EventBridge's wire protocol in this process, on loopback. */
export async function startEventBridge({
  port = 0,
  targets = {},
  account = '000000000000',
  refusalOf,
  now = Date.now,
  sleep = (ms, signal) => wait(ms, undefined, { signal, ref: false }),
  onProblem = message => process.emitWarning(message, { code: 'STEPWRIGHT_EVENT' }),
}: EventBridgeOptions = {}): Promise<EventBridge> {
  const region = localRegion
  const underWay = createUnderWay()
  const deliver = createDelivery(targets)
  const onDelivery = underWay.add
  const rules = createRules({ deliver, region, account, now, sleep, onProblem, onDelivery })
  const operations = createOperations(rules, { account, region, now }, underWay.add)
  const handle = createJsonProtocol({ target: 'AWSEvents', version: '1.1', operations, refusalOf })
  const end = (): Promise<unknown> => {
    rules.stop()
    return underWay.settled()
  }
  // While it waits it still answers, so that there may be more to end when it no longer does.
  const service = await startLocalService(handle, { port, beforeEnd: end, afterEnd: end })
  return {
    ...service,
    publish(event, busName = 'default') {
      const work = rules.publish(busName, { account, region, resources: [], ...event })
      underWay.add(work)
      return work
    },
  }
}
