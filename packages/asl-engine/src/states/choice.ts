import type { ChoiceRule, ChoiceState, ChoiceTest, JsonataChoiceTest } from '@stepwright/asl'
import { scopeOf, type Thread } from '../execution/thread.ts'
import { compileChoiceTest } from '../expressions/choice-rule.ts'
import { compileJsonata, expectType } from '../expressions/jsonata-template.ts'
import { StateFailure } from '../failures/state-failure.ts'
import { compileFlow } from '../flow/compile-flow.ts'
import type { Exit, Finished, Flow } from '../flow/flow.ts'
import { jsonataScope } from '../flow/jsonata-flow.ts'
import type { Json } from '../json.ts'
import { chain, isPromise } from '../maybe-promise.ts'
import { type CompileContext, type CompiledState, compiledState, languageOf } from './compiled-state.ts'

export function compileChoice(name: string, state: ChoiceState, context: CompileContext): CompiledState {
  return languageOf(state, context) === 'JSONata'
    ? compileJsonataChoice(name, state)
    : compileJsonpathChoice(name, state)
}

function noneMatched(): StateFailure {
  return new StateFailure(
    'States.NoChoiceMatched',
    'Failed to transition out of the state. The state does not point to a next state.',
    { detail: true },
  )
}

function exit(next: string, finished: Finished): Exit {
  return {
    next,
    output: finished.output,
    assigned: finished.assigned,
  }
}

function compileJsonpathChoice(name: string, state: ChoiceState): CompiledState {
  const flowOf = (fields: Pick<ChoiceRule, 'Assign'>): Flow =>
    compileFlow('JSONPath', {
      ...(state.OutputPath === undefined ? {} : { OutputPath: state.OutputPath }),
      ...(state.InputPath === undefined ? {} : { InputPath: state.InputPath }),
      ...(fields.Assign === undefined ? {} : { Assign: fields.Assign }),
    })
  const fallback = flowOf(state)
  const rules = state.Choices.map(rule => ({
    test: compileChoiceTest(rule as ChoiceTest),
    next: rule.Next,
    flow: flowOf(rule),
  }))
  return compiledState(name, 'Choice', (thread, input) => {
    const effective = fallback.prepare(thread, input)
    if (isPromise(effective)) throw new TypeError('JSONPath is evaluated at once')
    const scope = scopeOf(thread, effective)
    for (const { test, next, flow } of rules) {
      if (test(scope)) return exit(next, flow.pass(thread, input, effective) as Finished)
    }
    if (state.Default === undefined) throw noneMatched()
    return exit(state.Default, fallback.pass(thread, input, effective) as Finished)
  })
}

function compileJsonataChoice(name: string, state: ChoiceState): CompiledState {
  const fallback = compileFlow('JSONata', state)
  const rules = state.Choices.map((rule, index) => {
    const { Condition } = rule as JsonataChoiceTest
    const field = `Choices[${index}]/Condition`
    const evaluate = compileJsonata(Condition, field)
    return {
      holds: (thread: Thread, input: Json) =>
        chain(
          evaluate(jsonataScope(thread, input)),
          value => expectType(Condition, field, ['boolean'], value) === true,
        ),
      next: rule.Next,
      flow: compileFlow('JSONata', rule),
    }
  })
  return compiledState(name, 'Choice', async (thread, input) => {
    for (const { holds, next, flow } of rules) {
      if (await holds(thread, input)) return exit(next, await flow.pass(thread, input, input))
    }
    if (state.Default === undefined) throw noneMatched()
    return exit(state.Default, await fallback.pass(thread, input, input))
  })
}
