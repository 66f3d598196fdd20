import type { Thread } from '../execution/thread.ts'
import { copyJson, isObject, type Json, type JsonObject } from '../json.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import { callOut } from './call.ts'
import { functionFailure } from './call-failure.ts'
import { answerItself, type Outcome } from './outcome.ts'
import { type CallContext, TaskFailure } from './ports.ts'

/** The `lambda:invoke` integration: the payload comes back inside the response of Lambda's Invoke API. */
export function invokeThroughService<Result>(
  thread: Thread,
  parameters: Json,
  timeoutMs: number | undefined,
  outcome: Outcome<Result>,
): MaybePromise<Result> {
  const { engine } = thread.execution
  const name = isObject(parameters) ? parameters['FunctionName'] : undefined
  if (typeof name !== 'string') {
    return outcome.fail(new TaskFailure('Lambda.ValidationException', 'FunctionName must be given'))
  }
  const arn = functionArn(name, thread.execution.identity.stateMachineArn, engine.region)
  const payload = payloadOf(isObject(parameters) ? parameters['Payload'] : undefined)
  const invocation = isObject(parameters) ? parameters['InvocationType'] : undefined
  const withoutAnswer = (status: number): JsonObject => ({
    ...wrap('', thread, false),
    StatusCode: status,
    SdkHttpMetadata: { HttpStatusCode: status },
  })
  if (invocation === 'DryRun') {
    return outcome.succeed(withoutAnswer(204))
  }
  if (invocation === 'Event') {
    const start = (context: CallContext): void => {
      const invoke = async (): Promise<unknown> => engine.invoke(arn, payload, context)
      // Whatever becomes of it, nobody hears of it.
      invoke().catch(() => undefined)
    }
    callOut(thread, timeoutMs, start, answerItself)
    return outcome.succeed(withoutAnswer(202))
  }
  const wantsLog = isObject(parameters) && parameters['LogType'] === 'Tail'
  return callOut(thread, timeoutMs, context => engine.invoke(arn, payload, context), {
    succeed: answer => outcome.succeed(wrap(answer, thread, wantsLog)),
    fail: thrown => outcome.fail(functionFailure(thrown)),
  })
}

/** A string is sent as it is, as JSON text; nothing at all becomes an empty object. */
function payloadOf(payload: Json | undefined): Json {
  if (payload === undefined || payload === null) return {}
  if (typeof payload !== 'string') return copyJson(payload)
  try {
    return JSON.parse(payload) as Json
  } catch {
    return payload
  }
}

function functionArn(name: string, stateMachineArn: string, region: string): string {
  if (name.startsWith('arn:')) return name
  const account = stateMachineArn.split(':')[4] ?? ''
  return `arn:aws:lambda:${region}:${account}:function:${name}`
}

function wrap(payload: Json, thread: Thread, wantsLog: boolean): JsonObject {
  const { chance, clock } = thread.execution.engine
  const requestId = chance.uuid()
  const headers: Record<string, string> = {
    'X-Amz-Executed-Version': '$LATEST',
    'x-amzn-Remapped-Content-Length': '0',
    Connection: 'keep-alive',
    'x-amzn-RequestId': requestId,
    'Content-Length': String(Buffer.byteLength(JSON.stringify(payload))),
    Date: new Date(clock.now()).toUTCString(),
    'X-Amzn-Trace-Id': `root=1-${requestId.slice(0, 8)}-${requestId.replaceAll('-', '').slice(8)};parent=0000000000000000;sampled=0`,
    'Content-Type': 'application/json',
  }
  return {
    ExecutedVersion: '$LATEST',
    ...(wantsLog ? { LogResult: logTail(requestId) } : {}),
    Payload: payload,
    SdkHttpMetadata: {
      AllHttpHeaders: Object.fromEntries(Object.entries(headers).map(([key, value]) => [key, [value]])),
      HttpHeaders: headers,
      HttpStatusCode: 200,
    },
    SdkResponseMetadata: { RequestId: requestId },
    StatusCode: 200,
  }
}

/** Functions here write their own logs: the tail only says which request it was. */
function logTail(requestId: string): string {
  return Buffer.from(
    `START RequestId: ${requestId} Version: $LATEST\nEND RequestId: ${requestId}\n`,
  ).toString('base64')
}
