import { contextObject, type MapItem, type Thread } from '../execution/thread.ts'
import {
  compileJsonata,
  type EvaluateJsonata,
  type JsonataScope,
  type StatesExtra,
} from '../expressions/jsonata-template.ts'
import type { Variables } from '../expressions/scope.ts'
import type { Json } from '../json.ts'
import { chain, isPromise, type MaybePromise } from '../maybe-promise.ts'
import { takeTurn } from '../time/turn.ts'
import { type Exit, type Flow, type FlowFields, toExit } from './flow.ts'
import { checkAssigned, checkPayload } from './payload.ts'

export function jsonataScope(
  thread: Thread,
  input: Json,
  extra: StatesExtra = {},
  item: MapItem | undefined = thread.item,
): JsonataScope {
  const { engine } = thread.execution
  return {
    input,
    variables: thread.variables,
    context: () => contextObject(thread, item),
    chance: engine.chance,
    extra,
    nowMs: engine.clock.now,
    yieldTurn: () => takeTurn(thread.execution),
  }
}

export function compileJsonataFlow(fields: FlowFields, next: string | undefined): Flow {
  const argumentsField =
    fields.Arguments === undefined ? undefined : compileJsonata(fields.Arguments, 'Arguments')
  const leave = compileLeaving(fields, next)
  return {
    prepare: (thread, input) => {
      if (argumentsField === undefined) return input
      return chain(argumentsField(jsonataScope(thread, input)), argument => {
        thread.execution.observer?.see('afterArguments', argument)
        return argument === input ? input : checkPayload(thread, argument)
      })
    },
    finish: (thread, input, result, fitting = input) => {
      thread.execution.observer?.see('result', result)
      return checkExit(thread, input, fitting, leave(thread, input, { result }, result))
    },
    pass: (thread, input) => checkExit(thread, input, input, leave(thread, input, {}, input)),
  }
}

function checkExit(thread: Thread, input: Json, fitting: Json, exit: MaybePromise<Exit>): MaybePromise<Exit> {
  if (isPromise(exit)) return exit.then(value => checkExit(thread, input, fitting, value))
  if (exit.output !== input && exit.output !== fitting) checkPayload(thread, exit.output)
  return exit
}

/** Output and Assign see the same variables: what Assign sets shows only from the next state on. */
export function compileLeaving(
  fields: Pick<FlowFields, 'Output' | 'Assign'>,
  next: string | undefined,
): (thread: Thread, input: Json, extra: StatesExtra, otherwise: Json) => MaybePromise<Exit> {
  const output = fields.Output === undefined ? undefined : compileJsonata(fields.Output, 'Output')
  const assign: EvaluateJsonata | undefined =
    fields.Assign === undefined ? undefined : compileJsonata(fields.Assign, 'Assign')
  return (thread, input, extra, otherwise) => {
    if (output === undefined && assign === undefined) return toExit(next, otherwise, undefined)
    const scope = jsonataScope(thread, input, extra)
    return chain(output === undefined ? otherwise : output(scope), value => {
      if (assign === undefined) return toExit(next, value, undefined)
      return chain(assign(scope), assigned =>
        toExit(next, value, checkAssigned(thread, assigned as Variables)),
      )
    })
  }
}
