import { scopeOf, type Thread } from '../execution/thread.ts'
import {
  compileJsonata,
  type EvaluateJsonata,
  type JsonataScope,
  type StatesExtra,
} from '../expressions/jsonata-template.ts'
import type { Variables } from '../expressions/scope.ts'
import type { Json } from '../json.ts'
import { chain, type MaybePromise } from '../maybe-promise.ts'
import { takeTurn } from '../time/turn.ts'
import type { Finished, Flow, FlowFields } from './flow.ts'

export function jsonataScope(thread: Thread, input: Json, extra: StatesExtra = {}): JsonataScope {
  return {
    ...scopeOf(thread, input),
    extra,
    nowMs: thread.execution.engine.clock.now,
    yieldTurn: () => takeTurn(thread.execution),
  }
}

export function compileJsonataFlow(fields: FlowFields): Flow {
  const argumentsField =
    fields.Arguments === undefined ? undefined : compileJsonata(fields.Arguments, 'Arguments')
  const leave = compileLeaving(fields)
  return {
    prepare: (thread, input) => {
      const argument = argumentsField === undefined ? input : argumentsField(jsonataScope(thread, input))
      const { observer } = thread.execution
      if (observer === undefined || argumentsField === undefined) return argument
      return chain(argument, value => {
        observer.see('afterArguments', value)
        return value
      })
    },
    finish: (thread, input, result) => {
      thread.execution.observer?.see('result', result)
      return leave(thread, input, { result }, result)
    },
    pass: (thread, input) => leave(thread, input, {}, input),
  }
}

/** Output and Assign see the same variables: what Assign sets shows only from the next state on. */
export function compileLeaving(
  fields: Pick<FlowFields, 'Output' | 'Assign'>,
): (thread: Thread, input: Json, extra: StatesExtra, otherwise: Json) => MaybePromise<Finished> {
  const output = fields.Output === undefined ? undefined : compileJsonata(fields.Output, 'Output')
  const assign: EvaluateJsonata | undefined =
    fields.Assign === undefined ? undefined : compileJsonata(fields.Assign, 'Assign')
  return (thread, input, extra, otherwise) => {
    if (output === undefined && assign === undefined) return { output: otherwise, assigned: undefined }
    const scope = jsonataScope(thread, input, extra)
    return chain(output === undefined ? otherwise : output(scope), value => {
      if (assign === undefined) return { output: value, assigned: undefined }
      return chain(assign(scope), assigned => ({ output: value, assigned: assigned as Variables }))
    })
  }
}
