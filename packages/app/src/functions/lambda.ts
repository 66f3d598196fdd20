import type { Task } from '@stepwright/task'
import { type LambdaContext, type LambdaOptions, toLambdaHandler } from '@stepwright/task/lambda'
import type { Bindings } from '../bindings/binding.ts'
import { createFunction, type FunctionOptions, type LambdaFunction } from './lambda-function.ts'

/** The options of a handler of `@stepwright/task`, without what bindings replace. */
export type WithoutPorts<Options> = Omit<Options, 'ports' | 'classifiers'>

export type CallHandler<Output> = (event: unknown, context?: LambdaContext) => Promise<Output>

/** A task behind a state of a workflow, or called by a rule, a schedule or another function with its whole event. */
export function lambda<Input, Output, Ports>(
  task: Task<Input, Output, Ports>,
  bindings: Bindings<NoInfer<Ports>>,
  options: FunctionOptions & WithoutPorts<LambdaOptions<Task<Input, Output, Ports>>> = {},
): CallHandler<Output> & LambdaFunction<'call', Ports, CallHandler<Output>> {
  return createFunction({
    kind: 'call',
    task,
    bindings,
    options,
    build: opening => toLambdaHandler(task, { ...options, ...opening }) as CallHandler<Output>,
  })
}
