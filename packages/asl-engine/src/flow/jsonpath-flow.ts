import { scopeOf, type Thread } from '../execution/thread.ts'
import type { Variables } from '../expressions/scope.ts'
import { compileTemplate } from '../expressions/template.ts'
import { StateFailure } from '../failures/state-failure.ts'
import type { Json } from '../json.ts'
import { compilePath, requirePath } from '../jsonpath/path.ts'
import { placeAt } from '../jsonpath/place.ts'
import { compileReference, findRequired } from '../reference.ts'
import { type Exit, type Flow, type FlowFields, toExit } from './flow.ts'
import { checkAssigned, checkPayload } from './payload.ts'

type Select = (thread: Thread, input: Json) => Json
export type Place = (input: Json, result: Json) => Json

const empty: Json = {}

/** A flow that never has to wait. */
export interface JsonpathFlow extends Flow {
  readonly prepare: (thread: Thread, input: Json) => Json
  readonly finish: (thread: Thread, input: Json, result: Json, fitting?: Json) => Exit
  readonly pass: (thread: Thread, input: Json, effective: Json) => Exit
}

export function compileJsonpathFlow(fields: FlowFields, next: string | undefined): JsonpathFlow {
  const selectInput = compileSelection(fields.InputPath)
  const parameters = fields.Parameters === undefined ? undefined : compileTemplate(fields.Parameters)
  const selector = fields.ResultSelector === undefined ? undefined : compileTemplate(fields.ResultSelector)
  const place = compileResultPath(fields.ResultPath)
  const selectOutput = compileSelection(fields.OutputPath)
  const assign = compileAssign(fields.Assign)

  const leave = (thread: Thread, input: Json, whole: Json, assigning: Json, fitting: Json): Exit => {
    const output = selectOutput(thread, whole)
    const assigned = assign?.(thread, assigning)
    if (output !== input && output !== fitting) checkPayload(thread, output)
    return toExit(next, output, assigned)
  }
  return {
    prepare: (thread, input) => {
      const effective = selectInput(thread, input)
      const argument = parameters === undefined ? effective : parameters(scopeOf(thread, effective))
      const { observer } = thread.execution
      if (observer !== undefined) {
        observer.see('afterInputPath', effective)
        observer.see('afterParameters', argument)
      }
      return argument === input ? input : checkPayload(thread, argument)
    },
    finish: (thread, input, result, fitting = input) => {
      const selected = selector === undefined ? result : selector(scopeOf(thread, result))
      const whole = place(input, selected)
      const { observer } = thread.execution
      if (observer !== undefined) {
        observer.see('result', result)
        observer.see('afterResultSelector', selected)
        observer.see('afterResultPath', whole)
      }
      return leave(thread, input, whole, selected, fitting)
    },
    pass: (thread, input, effective) => leave(thread, input, effective, effective, input),
  }
}

/** InputPath or OutputPath: absent selects everything, null nothing. */
function compileSelection(path: string | null | undefined): Select {
  if (path === undefined || path === '$') return (_thread, input) => input
  if (path === null) return () => empty
  const reference = compileReference(path)
  return (thread, input) => findRequired(reference, scopeOf(thread, input))
}

export function compileResultPath(path: string | null | undefined): Place {
  if (path === undefined || path === '$') return (_input, result) => result
  if (path === null) return input => input
  const compiled = compilePath(requirePath(path))
  return (input, result) => {
    const placed = placeAt(compiled, input, result)
    if (placed !== undefined) return placed
    throw new StateFailure(
      'States.ResultPathMatchFailure',
      `Unable to apply ReferencePath ${path} to input ${JSON.stringify(input)}`,
      { detail: true },
    )
  }
}

export function compileAssign(
  assign: { readonly [variable: string]: Json } | undefined,
): ((thread: Thread, input: Json) => Variables) | undefined {
  if (assign === undefined) return undefined
  const template = compileTemplate(assign)
  return (thread, input) => checkAssigned(thread, template(scopeOf(thread, input)) as Variables)
}
