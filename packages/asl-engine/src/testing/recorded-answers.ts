import { StateFailure } from '../failures/state-failure.ts'
import { equalJson, isObject, type Json } from '../json.ts'
import type { CallContext, ServiceCall } from '../task/ports.ts'
import type { TaskTokens } from '../task/task-tokens.ts'
import { type Clock, sleepOn } from '../time/clock.ts'
import type { RecordedCall } from './recorded-execution.ts'
import type { WorkflowTasks } from './workflow-task.ts'

/**
 * What each state's task answered, after the time that it took: for the same input the same, else the next answer of
 * that state.
 */
export function answersOf(
  calls: readonly RecordedCall[],
  clock: Clock,
  taskTokens: TaskTokens,
): WorkflowTasks {
  const byState = Map.groupBy(calls, ({ state }) => state)
  return Object.fromEntries(
    [...byState].map(([state, list]) => {
      const left = [...list]
      const answer = (input: unknown, context: CallContext): unknown => {
        const same = left.findIndex(call => equalJson(payloadOf(call.input), payloadOf(input as Json)))
        const [call] = left.splice(Math.max(0, same), 1)
        if (call === undefined)
          throw new StateFailure('ReplayEnded', `no more answers of ${state} were recorded: add one to them`)
        const { submitted } = call
        if (submitted === undefined) return answerLater(call, context)
        if (isJob(context)) {
          context.submitted(submitted)
          return answerLater(call, context)
        }
        void reportLater(call, context.taskToken ?? '', clock, taskTokens)
        return unwrap(call.input, submitted)
      }
      return [state, answer]
    }),
  )
}

/** A `.sync` job answers by itself, a callback through its token. */
function isJob(context: CallContext): context is ServiceCall {
  return 'pattern' in context && context.pattern !== 'waitForTaskToken'
}

/** A call that had not ended, or not in time, never does: the definition says when it times out. */
function answerLater(call: RecordedCall, context: Pick<CallContext, 'sleep'>): unknown {
  if (!hasAnswer(call)) return context.sleep(Number.POSITIVE_INFINITY)
  return call.seconds === undefined
    ? answer(call)
    : context.sleep(call.seconds * 1000).then(() => answer(call))
}

/** Says with the token what was said with it, when it was said. */
async function reportLater(
  call: RecordedCall,
  token: string,
  clock: Clock,
  taskTokens: TaskTokens,
): Promise<void> {
  const { heartbeatSeconds, seconds = 0 } = call
  const soundUntil = hasAnswer(call) ? seconds : seconds - (heartbeatSeconds ?? 0)
  let waited = 0
  const waitUntil = async (until: number): Promise<void> => {
    await sleepOn(clock, (until - waited) * 1000)
    waited = until
  }
  while (heartbeatSeconds !== undefined && waited + heartbeatSeconds / 2 < soundUntil) {
    await waitUntil(waited + heartbeatSeconds / 2)
    taskTokens.get(token)?.beat()
  }
  if (!hasAnswer(call)) return
  await waitUntil(seconds)
  const task = taskTokens.get(token)
  if (call.error === undefined) task?.succeed(call.output ?? null)
  else task?.fail(toFailure(call))
}

function hasAnswer({ output, error }: RecordedCall): boolean {
  return output !== undefined || (error !== undefined && error !== 'States.Timeout')
}

function answer(call: RecordedCall): Json {
  if (call.error !== undefined) throw toFailure(call)
  return unwrap(call.input, call.output ?? null)
}

function toFailure({ error, cause }: Pick<RecordedCall, 'error' | 'cause'>): StateFailure {
  return new StateFailure(error ?? undefined, cause, { ofTask: true })
}

/** Of a call through `lambda:invoke`, what the function is given. */
function payloadOf(input: Json): Json {
  return isObject(input) && 'FunctionName' in input ? (input['Payload'] ?? {}) : input
}

/** Of a call through `lambda:invoke`, what the function answered. */
function unwrap(input: Json, output: Json): Json {
  const isInvocation = isObject(input) && 'FunctionName' in input && isObject(output) && 'Payload' in output
  return isInvocation ? (output['Payload'] ?? null) : output
}
