import type { Scope } from '../expressions/scope.ts'
import { runtimeFailure, StateFailure } from '../failures/state-failure.ts'
import type { Json } from '../json.ts'
import { formatTemplate, IntrinsicError, intrinsics } from './functions.ts'
import { type Expression, InvalidIntrinsicError } from './parse.ts'

type Call = Extract<Expression, { kind: 'call' }>

/** Turns a parsed call into a function of the scope. */
export function compileIntrinsic(expression: Expression): (scope: Scope) => Json {
  return compile(expression, expression)
}

function compile(expression: Expression, whole: Expression): (scope: Scope) => Json {
  switch (expression.kind) {
    case 'literal':
      return () => expression.value
    case 'reference': {
      const { reference } = expression
      return scope => {
        const found = reference.find(scope)
        if (found === undefined) throw missingArgument(whole, reference.text, reference.subject(scope))
        return found
      }
    }
    case 'call':
      return compileCall(expression, whole)
  }
}

function compileCall(call: Call, whole: Expression): (scope: Scope) => Json {
  const parameters = call.parameters.map(parameter => compile(parameter, whole))
  if (call.name === 'States.Format') return compileFormat(call, parameters)
  const intrinsic = intrinsics[call.name]
  if (intrinsic === undefined) throw new InvalidIntrinsicError(call.text, `there is no function ${call.name}`)
  return scope =>
    attempt(call, () =>
      intrinsic(
        parameters.map(parameter => parameter(scope)),
        scope.chance,
      ),
    )
}

function compileFormat(call: Call, parameters: readonly ((scope: Scope) => Json)[]): (scope: Scope) => Json {
  const first = call.parameters[0]
  const template = first?.kind === 'literal' ? first.template : undefined
  return scope =>
    attempt(call, () => {
      const [head, ...values] = parameters.map(parameter => parameter(scope))
      const chosen = template ?? head
      if (typeof chosen !== 'string') throw new IntrinsicError('Expected a template string')
      return formatTemplate(chosen, values)
    })
}

function attempt(call: Call, evaluate: () => Json): Json {
  try {
    return evaluate()
  } catch (error) {
    if (!(error instanceof IntrinsicError)) throw error
    throw new StateFailure(
      'States.IntrinsicFailure',
      `The function '${call.text}' had the following error: ${error.message}`,
      { detail: true },
    )
  }
}

function missingArgument(whole: Expression, path: string, subject: Json | undefined): StateFailure {
  return runtimeFailure(
    `The function '${whole.kind === 'call' ? whole.text : path}' had the following error: The JsonPath argument for the field '${path}' could not be found in the input '${JSON.stringify(subject ?? {})}'`,
  )
}
