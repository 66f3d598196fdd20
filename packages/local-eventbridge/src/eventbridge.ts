import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import {
  createDelivery,
  createJsonProtocol,
  createUnderWay,
  type LocalService,
  localRegion,
  openOutbox,
  type RefusalOf,
  startLocalService,
  type TargetEndpoints,
} from '@stepwright/local-server'
import { createOperations } from './api/operations.ts'
import { parameters } from './api/parameters.ts'
import type { BusEvent } from './rules/event.ts'
import { createRules } from './rules/rules.ts'

export interface EventBridgeOptions {
  /** @default a free one */
  readonly port?: number
  /** Where events that were accepted outlive a kill until they are delivered. @default nothing does */
  readonly dataDirectory?: string
  /** Whether events wait for `run()`, because rules are still to be put. @default false */
  readonly paused?: boolean
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
  /**
   * Keeps an event of a service, such as S3's, which PutEvents would refuse, before it returns. Resolves when it is
   * delivered, or when this stops before that.
   */
  publish(event: PublishedEvent, busName?: string): Promise<void>
  /** Delivers what is waiting, also what an earlier process left, and from now on each event at once. */
  run(): void
  /** Begins no delivery any more, waits for those under way, and keeps the events that still come in. */
  pause(): Promise<void>
  /** Stops schedules, waits for what is being delivered, and forgets all rules. Later calls do nothing. */
  stop(): Promise<void>
}

/** An event of a service, which need not say whose and where it is. */
export type PublishedEvent = Omit<BusEvent, 'account' | 'region' | 'resources'> & Partial<BusEvent>

/** Starts EventBridge's wire protocol in this process, on loopback. */
export async function startEventBridge({
  port = 0,
  dataDirectory,
  paused = false,
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
  const outbox = openOutbox<AcceptedEvent>({
    file: dataDirectory === undefined ? undefined : join(dataDirectory, 'events.jsonl'),
    deliver: ({ busName, event }) =>
      rules
        .publish(busName, event)
        .catch((error: Error) => onProblem(`an event could not be delivered: ${error.message}`)),
  })
  const publish = (busName: string, event: BusEvent): Promise<void> => outbox.send({ busName, event })
  const operations = createOperations({ ...rules, publish }, { account, region, now }, underWay.add)
  const handle = createJsonProtocol({
    target: 'AWSEvents',
    version: '1.1',
    operations,
    parameters,
    refusalOf,
  })
  const end = async (): Promise<void> => {
    rules.stop()
    await outbox.stop()
    await underWay.settled()
  }
  // While it waits it still answers, so that there may be more to end when it no longer does.
  const service = await startLocalService(handle, { port, beforeEnd: end, afterEnd: end })
  if (!paused) outbox.run()
  return {
    ...service,
    publish: (event, busName = 'default') => publish(busName, { account, region, resources: [], ...event }),
    run: outbox.run,
    pause: outbox.pause,
  }
}

interface AcceptedEvent {
  readonly busName: string
  readonly event: BusEvent
}
