import type { FailState } from '@stepwright/asl'
import { scopeOf, type Thread } from '../execution/thread.ts'
import { compileJsonata, expectType } from '../expressions/jsonata-template.ts'
import { runtimeFailure, StateFailure } from '../failures/state-failure.ts'
import { jsonataScope } from '../flow/jsonata-flow.ts'
import { compileIntrinsic } from '../intrinsics/evaluate.ts'
import type { Json } from '../json.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import { compileReference } from '../reference.ts'
import { type CompileContext, type CompiledState, compiledState, languageOf } from './compiled-state.ts'

type Text = (thread: Thread, input: Json) => MaybePromise<string | undefined>

export function compileFail(name: string, state: FailState, context: CompileContext): CompiledState {
  const isJsonata = languageOf(state, context) === 'JSONata'
  const error = isJsonata
    ? compileExpression(state.Error, 'Error')
    : compilePathOr(state.Error, state.ErrorPath, 'ErrorPath')
  const cause = isJsonata
    ? compileExpression(state.Cause, 'Cause')
    : compilePathOr(state.Cause, state.CausePath, 'CausePath')
  return compiledState(name, 'Fail', async (thread, input) => {
    thread.execution.observer?.see('afterInputPath', input)
    throw new StateFailure(await error(thread, input), await cause(thread, input))
  })
}

function compileExpression(template: string | undefined, field: string): Text {
  if (template === undefined) return () => undefined
  const evaluate = compileJsonata(template, field)
  return async (thread, input) =>
    expectType(template, field, ['string'], await evaluate(jsonataScope(thread, input))) as string
}

function compilePathOr(literal: string | undefined, path: string | undefined, field: string): Text {
  if (path === undefined) return () => literal
  if (!path.startsWith('$')) {
    const evaluate = compileIntrinsic(path)
    return (thread, input) => String(evaluate(scopeOf(thread, input)))
  }
  const reference = compileReference(path)
  return (thread, input) => {
    const scope = scopeOf(thread, input)
    const found = reference.find(scope)
    if (found === undefined) {
      throw runtimeFailure(
        `The JSONPath '${path}' specified for the field '${field}' could not be found in the input '${JSON.stringify(reference.subject(scope) ?? {})}'`,
      )
    }
    if (typeof found !== 'string') {
      throw runtimeFailure(
        `The ${field} field refers to value "${JSON.stringify(found)}" which is not a string: ${path}`,
      )
    }
    return found
  }
}
