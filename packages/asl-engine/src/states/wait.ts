import type { WaitState } from '@stepwright/asl'
import { scopeOf, type Thread } from '../execution/thread.ts'
import { compileJsonata, expectType } from '../expressions/jsonata-template.ts'
import { parseTimestamp } from '../expressions/timestamp.ts'
import { evaluationFailure, runtimeFailure } from '../failures/state-failure.ts'
import { compileFlow } from '../flow/compile-flow.ts'
import { jsonataScope } from '../flow/jsonata-flow.ts'
import type { Json } from '../json.ts'
import { compileReference } from '../reference.ts'
import { sleepOn } from '../time/clock.ts'
import { type CompileContext, type CompiledState, compiledState, languageOf } from './compiled-state.ts'

/** The time until which to wait, in milliseconds since the epoch. */
type Until = (thread: Thread, input: Json) => Promise<number>

export function compileWait(name: string, state: WaitState, context: CompileContext): CompiledState {
  const language = languageOf(state, context)
  const flow = compileFlow(language, state, state.Next)
  const until = language === 'JSONata' ? compileJsonataUntil(state) : compileUntil(state)
  return compiledState(name, 'Wait', async (thread, input) => {
    const { clock } = thread.execution.engine
    const effective = await flow.prepare(thread, input)
    const timeMs = await until(thread, effective)
    if (timeMs > clock.now()) await sleepOn(clock, timeMs - clock.now(), thread.cancellation)
    return flow.pass(thread, input, effective)
  })
}

/** A wait that was interrupted goes on from when the state was entered, not from now. */
function after(thread: Thread, seconds: number): number {
  return thread.enteredMs + seconds * 1000
}

function compileUntil(state: WaitState): Until {
  if (state.SecondsPath !== undefined) return compileSecondsPath(state.SecondsPath)
  if (state.TimestampPath !== undefined) return compileTimestampPath(state.TimestampPath)
  if (typeof state.Timestamp === 'string') {
    const timeMs = parseTimestamp(state.Timestamp) ?? 0
    return async () => timeMs
  }
  const seconds = Number(state.Seconds)
  return async thread => after(thread, seconds)
}

function compileSecondsPath(path: string): Until {
  const reference = compileReference(path)
  return async (thread, input) => {
    const found = reference.find(scopeOf(thread, input))
    if (found === undefined)
      throw runtimeFailure(`The SecondsPath parameter does not reference an input value: ${path}`)
    if (!Number.isInteger(found)) {
      const shown = typeof found === 'string' ? found : JSON.stringify(found)
      throw runtimeFailure(`The SecondsPath parameter cannot be parsed as a long value: ${path} == ${shown}`)
    }
    if ((found as number) < 0) {
      throw runtimeFailure(
        `The SecondsPath parameter references a negative value: ${path} == ${JSON.stringify(found)}`,
      )
    }
    return after(thread, found as number)
  }
}

function compileTimestampPath(path: string): Until {
  const reference = compileReference(path)
  return async (thread, input) => {
    const found = reference.find(scopeOf(thread, input))
    if (found === undefined)
      throw runtimeFailure(`The TimestampPath parameter does not reference an input value: ${path}`)
    const timeMs = typeof found === 'string' ? parseTimestamp(found) : undefined
    if (timeMs === undefined) {
      const shown = typeof found === 'string' ? found : JSON.stringify(found)
      throw runtimeFailure(
        `The TimestampPath parameter does not reference a valid ISO-8601 extended offset date-time format string: ${path} == ${shown}`,
      )
    }
    return timeMs
  }
}

function compileJsonataUntil(state: WaitState): Until {
  const { Seconds, Timestamp } = state
  if (Seconds !== undefined) {
    const evaluate = compileJsonata(Seconds, 'Seconds')
    return async (thread, input) => {
      const seconds = await evaluate(jsonataScope(thread, input))
      return after(thread, expectType(Seconds, 'Seconds', ['number'], seconds) as number)
    }
  }
  const evaluate = compileJsonata(Timestamp ?? '', 'Timestamp')
  return async (thread, input) => {
    const value = await evaluate(jsonataScope(thread, input))
    const text = expectType(Timestamp ?? '', 'Timestamp', ['string'], value) as string
    const timeMs = parseTimestamp(text)
    if (timeMs !== undefined) return timeMs
    throw evaluationFailure(
      `The Timestamp field cannot be parsed as an ISO-8601 extended offset date-time format string: ${text}`,
      'Timestamp',
    )
  }
}
