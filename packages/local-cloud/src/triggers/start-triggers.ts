import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { type App, type Places, streamDefaults, type TriggerDeclaration } from '@stepwright/app'
import type { Sqs } from '@stepwright/local-sqs'
import { sendFailure } from '../app/keep-failed-events.ts'
import { putRules } from './put-rules.ts'
import { startQueuePoller } from './queue-poller.ts'
import { startStreamPoller } from './stream-poller.ts'
import type { StreamPositions } from './stream-positions.ts'

export interface TriggerOptions {
  readonly places: Places
  readonly eventBridgeEndpoint: string
  readonly sqs: Sqs
  readonly dynamoDbEndpoint: string
  /** How far streams were read, by trigger. */
  readonly positions: StreamPositions
  /** What failed changes of tables wait with. @default setTimeout */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>
  /** What queues are called here. */
  readonly queueNames: Readonly<Record<string, string>>
  readonly call: (functionName: string, event: unknown) => Promise<unknown>
  /** Calls a function asynchronously, as events do. */
  readonly send: (functionName: string, event: unknown) => Promise<unknown>
  readonly start: (workflow: string, event: unknown) => Promise<unknown>
}

export interface Triggers extends Disposable {
  /** Calls the target of one trigger. */
  fire(name: string, event: unknown): Promise<void>
}

const defaultBatchSize = 10
/** As many as Lambda begins with. */
const defaultConcurrency = 5

/** Makes rules of the app's triggers, and polls its queues and streams. */
export async function startTriggers(app: App, options: TriggerOptions): Promise<Triggers> {
  const { places, eventBridgeEndpoint, sqs, dynamoDbEndpoint, positions, queueNames, call, send, start } =
    options
  const triggers: readonly (readonly [string, TriggerDeclaration])[] = Object.entries(app.triggers ?? {})
  await putRules(app, places, eventBridgeEndpoint)
  const pollers = new DisposableStack()
  for (const [key, trigger] of triggers) {
    if ('stream' in trigger) {
      pollers.use(
        startStreamPoller({
          endpoint: dynamoDbEndpoint,
          tableName: places.tableName(trigger.stream),
          batchSize: trigger.batchSize ?? streamDefaults.batchSize,
          maxRetries: streamDefaults.maxRetries,
          handle: records => call(trigger.calls, { Records: records }),
          sleep: options.sleep ?? ((ms, signal) => wait(ms, undefined, { signal })),
          position: streamArn => positions.get(key, streamArn),
          onPosition: (streamArn, sequenceNumber) => positions.set(key, streamArn, sequenceNumber),
          onGivenUp: failed => sendFailure(app, sqs, withFunction(failed, places.functionArn(trigger.calls))),
        }),
      )
    }
    if (!('queue' in trigger)) continue
    const name = queueNames[trigger.queue] ?? ''
    const { concurrency = defaultConcurrency } = app.functions[trigger.calls] ?? {}
    pollers.use(
      startQueuePoller({
        endpoint: sqs.endpoint,
        queueUrl: sqs.queueUrl(name),
        queueArn: sqs.queueArn(name),
        batchSize: trigger.batchSize ?? defaultBatchSize,
        concurrency: Math.min(concurrency, defaultConcurrency),
        handle: records => call(trigger.calls, { Records: records }),
      }),
    )
  }
  return {
    async fire(name, event) {
      const found = triggers.find(([each]) => each === name)
      if (found === undefined) {
        throw new TypeError(
          `there is no trigger ${name}; there are ${triggers.map(([each]) => each).join(', ')}`,
        )
      }
      const [, trigger] = found
      await ('calls' in trigger ? send(trigger.calls, event) : start(trigger.starts, event))
    },
    [Symbol.dispose]: () => pollers.dispose(),
  }
}

function withFunction(failed: object, functionArn: string): object {
  const { requestContext } = failed as { readonly requestContext?: object }
  return { ...failed, requestContext: { requestId: randomUUID(), functionArn, ...requestContext } }
}
