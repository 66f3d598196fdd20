import type { ChoiceRule, ChoiceState, ChoiceTest, JsonataChoiceTest } from '@stepwright/asl'
import { scopeOf, type Thread } from '../execution/thread.ts'
import { compileChoiceTest } from '../expressions/choice-rule.ts'
import { compileJsonata, expectType } from '../expressions/jsonata-template.ts'
import { StateFailure } from '../failures/state-failure.ts'
import { compileJsonataFlow, jsonataScope } from '../flow/jsonata-flow.ts'
import { compileJsonpathFlow, type JsonpathFlow } from '../flow/jsonpath-flow.ts'
import type { Json } from '../json.ts'
import { chain } from '../maybe-promise.ts'
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

function compileJsonpathChoice(name: string, state: ChoiceState): CompiledState {
  const flowTo = (next: string | undefined, fields: Pick<ChoiceRule, 'Assign'>): JsonpathFlow =>
    compileJsonpathFlow(
      {
        ...(state.OutputPath === undefined ? {} : { OutputPath: state.OutputPath }),
        ...(state.InputPath === undefined ? {} : { InputPath: state.InputPath }),
        ...(fields.Assign === undefined ? {} : { Assign: fields.Assign }),
      },
      next,
    )
  const fallback = flowTo(state.Default, state)
  const rules = state.Choices.map(rule => ({
    test: compileChoiceTest(rule as ChoiceTest),
    flow: flowTo(rule.Next, rule),
  }))
  return compiledState(name, 'Choice', (thread, input) => {
    const effective = fallback.prepare(thread, input)
    const scope = scopeOf(thread, effective)
    for (const { test, flow } of rules) {
      if (test(scope)) return flow.pass(thread, input, effective)
    }
    if (state.Default === undefined) throw noneMatched()
    return fallback.pass(thread, input, effective)
  })
}

function compileJsonataChoice(name: string, state: ChoiceState): CompiledState {
  const fallback = compileJsonataFlow(state, state.Default)
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
      flow: compileJsonataFlow(rule, rule.Next),
    }
  })
  return compiledState(name, 'Choice', async (thread, input) => {
    for (const { holds, flow } of rules) {
      if (await holds(thread, input)) return flow.pass(thread, input, input)
    }
    if (state.Default === undefined) throw noneMatched()
    return fallback.pass(thread, input, input)
  })
}
