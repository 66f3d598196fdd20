import { openOutbox } from '@stepwright/local-server'
import { FunctionThrottledError } from '../functions/concurrency.ts'
import type { LambdaFunction } from './function-configuration.ts'

/** An asynchronous call that was accepted. */
export interface QueuedEvent {
  readonly functionName: string
  readonly event: unknown
  readonly requestId: string
  readonly clientContext?: unknown
  readonly acceptedMs: number
}

/** Where Lambda keeps the events of asynchronous calls. */
export interface EventQueue {
  /** Keeps the event before it returns. Resolves when its function has succeeded or the event is given up. */
  send(event: QueuedEvent): Promise<void>
  run(): void
  pause(): Promise<void>
  stop(): Promise<void>
}

/** What a destination gets of an event that is given up. */
export interface FailedEvent {
  readonly version: '1.0'
  readonly timestamp: string
  readonly requestContext: {
    readonly requestId: string
    readonly functionArn: string
    readonly condition: 'RetriesExhausted' | 'EventAgeExceeded'
    readonly approximateInvokeCount: number
  }
  readonly requestPayload: unknown
  readonly responseContext: {
    readonly statusCode: number
    readonly executedVersion: string
    readonly functionError: string
  }
  readonly responsePayload: object
}

export interface EventQueueOptions {
  readonly functions: ReadonlyMap<string, LambdaFunction>
  readonly now: () => number
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
  /** Where events outlive a kill. @default they do not */
  readonly file?: string | undefined
  /** Takes what is given up, if the function has a destination for it. */
  readonly onFailure: (functionName: string, failed: FailedEvent) => Promise<void>
}

/** Lambda calls a function that fails two more times, a minute and then two minutes later. */
const retryMs = [60_000, 120_000]
/** A function that is throttled is called again for six hours, after a second at first and five minutes at last. */
const maxAgeMs = 6 * 60 * 60 * 1000
const maxThrottledMs = 300_000

export function openEventQueue({ functions, now, sleep, file, onFailure }: EventQueueOptions): EventQueue {
  async function deliver(queued: QueuedEvent, signal: AbortSignal): Promise<void> {
    const { functionName, event, requestId, clientContext, acceptedMs } = queued
    const lambda = functions.get(functionName)
    if (lambda === undefined) return warn(`the function ${functionName} is gone, and so is an event for it`)
    const options = { requestId, ...(clientContext !== undefined && { clientContext }) }
    let failures = 0
    for (let calls = 1; ; calls += 1) {
      try {
        await beforeAbort(lambda.call(event, options), signal)
        return
      } catch (error) {
        // The function was ended with everything else: the event stays for the next start.
        signal.throwIfAborted()
        const isThrottled = error instanceof FunctionThrottledError
        if (!isThrottled) failures += 1
        const waitMs = isThrottled ? Math.min(1000 * 2 ** (calls - 1), maxThrottledMs) : retryMs[failures - 1]
        const isTooOld = now() + (waitMs ?? 0) - acceptedMs > maxAgeMs
        if (waitMs === undefined || isTooOld) {
          const condition = waitMs === undefined ? 'RetriesExhausted' : 'EventAgeExceeded'
          await giveUp(functionName, toFailedEvent(lambda, queued, error as Error, calls, condition, now()))
          return
        }
        await sleep(waitMs, signal)
      }
    }
  }

  async function giveUp(functionName: string, failed: FailedEvent): Promise<void> {
    const { errorMessage } = failed.responsePayload as { errorMessage: string }
    const { approximateInvokeCount } = failed.requestContext
    warn(`the function ${functionName} failed ${approximateInvokeCount} times: ${errorMessage}`)
    await onFailure(functionName, failed).catch((error: Error) =>
      warn(`the destination for failures of ${functionName} failed: ${error.message}`),
    )
  }

  return openOutbox<QueuedEvent>({ file, deliver })
}

function toFailedEvent(
  { arn }: LambdaFunction,
  { requestId, event }: QueuedEvent,
  { name: errorType, message: errorMessage, stack = '' }: Error,
  approximateInvokeCount: number,
  condition: FailedEvent['requestContext']['condition'],
  nowMs: number,
): FailedEvent {
  return {
    version: '1.0',
    timestamp: new Date(nowMs).toISOString(),
    requestContext: { requestId, functionArn: `${arn}:$LATEST`, condition, approximateInvokeCount },
    requestPayload: event,
    responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: 'Unhandled' },
    responsePayload: { errorType, errorMessage, trace: stack === '' ? [] : stack.split('\n') },
  }
}

async function beforeAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  const aborted = Promise.withResolvers<never>()
  const abort = (): void => aborted.reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([work, aborted.promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

function warn(message: string): void {
  process.emitWarning(message, { code: 'STEPWRIGHT_TRIGGER' })
}
