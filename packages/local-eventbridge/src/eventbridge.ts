import { setTimeout as wait } from 'node:timers/promises'
import {
  createDelivery,
  createJsonProtocol,
  type RefusalOf,
  startLoopbackServer,
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

export interface EventBridge extends AsyncDisposable {
  readonly endpoint: string
  readonly region: string
  /** For `new EventBridgeClient(…)`. Any credentials are accepted: signatures are not verified. */
  readonly clientConfig: {
    readonly endpoint: string
    readonly region: string
    readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string }
  }
  /** Delivers an event of a service, such as S3's, which PutEvents would refuse. Resolves when it is delivered. */
  publish(event: PublishedEvent, busName?: string): Promise<void>
  /** Stops schedules, waits for what is being delivered, and forgets all rules. Later calls do nothing. */
  stop(): Promise<void>
}

/** An event of a service, which need not say whose and where it is. */
export type PublishedEvent = Omit<BusEvent, 'account' | 'region' | 'resources'> & Partial<BusEvent>

const region = 'us-east-1'
const credentials = { accessKeyId: 'local', secretAccessKey: 'local' }

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
  const rules = createRules({ deliver: createDelivery(targets), region, account, now, sleep, onProblem })
  const underWay = new Set<Promise<void>>()
  const track = (work: Promise<void>): void => {
    underWay.add(work)
    const forget = (): boolean => underWay.delete(work)
    work.then(forget, forget)
  }
  const operations = createOperations(rules, { account, region, now }, track)
  const handle = createJsonProtocol({ target: 'AWSEvents', version: '1.1', operations, refusalOf })
  const server = await startLoopbackServer(handle, port)
  let stopping: Promise<void> | undefined
  const end = async (): Promise<void> => {
    rules.stop()
    await Promise.allSettled(underWay)
    await server.close()
  }
  const stop = (): Promise<void> => {
    stopping ??= end()
    return stopping
  }
  return {
    endpoint: server.endpoint,
    region,
    clientConfig: { endpoint: server.endpoint, region, credentials },
    publish(event, busName = 'default') {
      const work = rules.publish(busName, { account, region, resources: [], ...event })
      track(work)
      return work
    },
    stop,
    [Symbol.asyncDispose]: stop,
  }
}
