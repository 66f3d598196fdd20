import { type IntrinsicArgument, type IntrinsicCall, parseIntrinsic } from '@stepwright/asl/expressions'
import type { Scope } from '../expressions/scope.ts'
import { runtimeFailure, StateFailure } from '../failures/state-failure.ts'
import type { Json } from '../json.ts'
import { referenceOf } from '../reference.ts'
import { formatTemplate, IntrinsicError, intrinsics } from './functions.ts'

class InvalidIntrinsicError extends Error {
  override readonly name = 'InvalidIntrinsicError'
  constructor(text: string, problem: string) {
    super(`Invalid intrinsic function '${text}': ${problem}`)
  }
}

/**
 * Turns a call such as `States.Format('{} of {}', $.n, States.ArrayLength($.items))` into a function of the scope.
 * @throws InvalidIntrinsicError
 */
export function compileIntrinsic(text: string): (scope: Scope) => Json {
  const call = parseIntrinsic(text)
  if (typeof call === 'string') throw new InvalidIntrinsicError(text, call)
  return compileCall(call, call)
}

function compileArgument(argument: IntrinsicArgument, whole: IntrinsicCall): (scope: Scope) => Json {
  if (argument.kind === 'literal') return () => argument.value
  if (argument.kind === 'call') return compileCall(argument.call, whole)
  const reference = referenceOf(argument.path)
  return scope => {
    const found = reference.find(scope)
    if (found === undefined) throw missingArgument(whole, reference.text, reference.subject(scope))
    return found
  }
}

function compileCall(call: IntrinsicCall, whole: IntrinsicCall): (scope: Scope) => Json {
  const parameters = call.args.map(argument => compileArgument(argument, whole))
  if (call.name === 'States.Format') return compileFormat(call, parameters)
  const intrinsic = intrinsics[call.name]
  if (intrinsic === undefined)
    throw new InvalidIntrinsicError(call.text, `There is no function ${call.name}.`)
  return scope => {
    try {
      return intrinsic(evaluateAll(parameters, scope), scope.chance)
    } catch (error) {
      throw explained(call, error)
    }
  }
}

function evaluateAll(parameters: readonly ((scope: Scope) => Json)[], scope: Scope): readonly Json[] {
  const values: Json[] = []
  for (const parameter of parameters) values.push(parameter(scope))
  return values
}

function compileFormat(
  call: IntrinsicCall,
  parameters: readonly ((scope: Scope) => Json)[],
): (scope: Scope) => Json {
  const first = call.args[0]
  const template = first?.kind === 'literal' ? first.template : undefined
  return scope => {
    try {
      const [head, ...values] = evaluateAll(parameters, scope)
      const chosen = template ?? head
      if (typeof chosen !== 'string') throw new IntrinsicError('Expected a template string')
      return formatTemplate(chosen, values)
    } catch (error) {
      throw explained(call, error)
    }
  }
}

function explained(call: IntrinsicCall, error: unknown): unknown {
  if (!(error instanceof IntrinsicError)) return error
  return new StateFailure(
    'States.IntrinsicFailure',
    `The function '${call.text}' had the following error: ${error.message}`,
    { detail: true },
  )
}

function missingArgument(whole: IntrinsicCall, path: string, subject: Json | undefined): StateFailure {
  return runtimeFailure(
    `The function '${whole.text}' had the following error: The JsonPath argument for the field '${path}' could not be found in the input '${JSON.stringify(subject ?? {})}'`,
  )
}
