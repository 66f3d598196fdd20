import type { App, Places, TriggerDeclaration } from '@stepwright/app'
import type { Sqs } from '@stepwright/local-sqs'
import { putRules } from './put-rules.ts'
import { startQueuePoller } from './queue-poller.ts'

export interface TriggerOptions {
  readonly places: Places
  readonly eventBridgeEndpoint: string
  readonly sqs: Sqs
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

/** Makes rules of the app's triggers, and polls its queues. */
export async function startTriggers(app: App, options: TriggerOptions): Promise<Triggers> {
  const { places, eventBridgeEndpoint, sqs, queueNames, call, send, start } = options
  const triggers: readonly (readonly [string, TriggerDeclaration])[] = Object.entries(app.triggers ?? {})
  await putRules(app, places, eventBridgeEndpoint)
  const pollers = new DisposableStack()
  for (const [, trigger] of triggers) {
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
