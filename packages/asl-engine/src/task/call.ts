import { sleepOn } from '../clock.ts'
import { type Json, throughJson } from '../json.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import { heartbeatFailure, Interrupted, StateFailure, timeoutFailure } from '../state-failure.ts'
import type { Thread } from '../thread.ts'
import { type CallContext, TaskError } from './ports.ts'
import type { WaitingTask } from './task-tokens.ts'

export interface Deadlines {
  readonly timeoutMs: number | undefined
  readonly heartbeatMs: number | undefined
}

/** Calls user code with the clock held, within the state's timeout. An answer that is there at once is not awaited. */
export const callOut = (
  thread: Thread,
  deadlines: Deadlines,
  call: (context: CallContext) => unknown,
): MaybePromise<Json> => {
  const { clock } = thread.execution.engine
  let release = clock.hold()
  let controller: AbortController | undefined
  const context: CallContext = {
    executionArn: thread.execution.arn,
    stateMachineArn: thread.execution.stateMachineArn,
    stateName: thread.stateName,
    retryCount: thread.retryCount,
    get signal() {
      controller ??= new AbortController()
      return controller.signal
    },
    sleep: async ms => {
      release()
      await sleepOn(clock, ms, thread.cancellation)
      release = clock.hold()
    },
  }
  let answer: unknown
  try {
    answer = call(context)
  } catch (error) {
    release()
    throw error
  }
  if (!isThenable(answer)) {
    release()
    return throughJson(answer)
  }
  return within(thread, deadlines, answer, () => controller?.abort())
    .then(throughJson)
    .finally(() => release())
}

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'

const within = (
  thread: Thread,
  { timeoutMs }: Deadlines,
  answer: PromiseLike<unknown>,
  stop: () => void,
): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const { clock } = thread.execution.engine
    const endings = [
      thread.cancellation.onCancel(() => {
        stop()
        reject(new Interrupted())
      }),
    ]
    if (timeoutMs !== undefined) {
      endings.push(
        clock.at(clock.now() + timeoutMs, () => {
          stop()
          reject(timeoutFailure())
        }),
      )
    }
    const settle = (): void => {
      for (const end of endings) end()
    }
    answer.then(
      value => {
        settle()
        resolve(value)
      },
      error => {
        settle()
        reject(error)
      },
    )
  })

/** Waits until somebody reports on the token. The clock is free to move meanwhile. */
export const awaitToken = (
  thread: Thread,
  token: string,
  { timeoutMs, heartbeatMs }: Deadlines,
  onStart: WaitingTask['start'],
): { readonly result: Promise<Json>; readonly close: () => void } => {
  const { clock, taskTokens } = thread.execution.engine
  const endings: (() => void)[] = [() => taskTokens.close(token)]
  const close = (): void => {
    for (const end of endings.splice(0)) end()
    stopHeartbeat()
  }
  let stopHeartbeat: () => void = () => undefined
  const result = new Promise<Json>((resolve, reject) => {
    const fail = (error: unknown): void => {
      close()
      reject(error)
    }
    const beat = (): void => {
      stopHeartbeat()
      if (heartbeatMs !== undefined)
        stopHeartbeat = clock.at(clock.now() + heartbeatMs, () => fail(heartbeatFailure()))
    }
    if (timeoutMs !== undefined) endings.push(clock.at(clock.now() + timeoutMs, () => fail(timeoutFailure())))
    endings.push(thread.cancellation.onCancel(() => fail(new Interrupted())))
    beat()
    taskTokens.open(token, {
      succeed: output => {
        close()
        resolve(output)
      },
      fail,
      beat,
      start: onStart,
    })
  })
  return { result, close }
}

/** How Step Functions names what a Lambda function threw. */
export const functionFailure = (thrown: unknown): unknown => {
  if (thrown instanceof StateFailure || thrown instanceof Interrupted) return thrown
  if (thrown instanceof TaskError) return new StateFailure(thrown.error, thrown.cause)
  const isError = thrown instanceof Error
  const errorType = isError ? thrown.name : typeof thrown
  const errorMessage = isError ? thrown.message : String(thrown)
  const trace = isError ? (thrown.stack ?? '').split('\n') : []
  return new StateFailure(errorType, JSON.stringify({ errorType, errorMessage, trace }))
}

/** How Step Functions names what a service integration threw. */
export const serviceFailure = (thrown: unknown): unknown => {
  if (thrown instanceof StateFailure || thrown instanceof Interrupted) return thrown
  if (thrown instanceof TaskError) return new StateFailure(thrown.error, thrown.cause)
  if (thrown instanceof Error) return new StateFailure(thrown.name, thrown.message)
  return new StateFailure(typeof thrown, String(thrown))
}
