import { toDurableRetryStrategy } from '@stepwright/errors'
import { commonErrors } from './announced-errors.ts'
import type { AnyTask, InputOf, OutputOf, PortsOf } from './task.ts'

/** The part of a durable execution's context that is used; `DurableContext` of AWS's SDK has it. */
export interface DurableSteps {
  step<Output>(
    name: string,
    run: () => Promise<Output>,
    config: { readonly retryStrategy: ReturnType<typeof toDurableRetryStrategy> },
  ): PromiseLike<Output>
}

/**
 * Runs a task as a step of AWS's durable functions: once it has succeeded, a replay gets the same result and does not
 * run it again. Retryable errors are retried as their classes say, business errors never.
 */
export async function runAsStep<T extends AnyTask>(
  durable: DurableSteps,
  task: T,
  input: InputOf<T>,
  ports: PortsOf<T>,
  options: {
    /** For a task that runs more than once. @default the task's name */ readonly name?: string
  } = {},
): Promise<OutputOf<T>> {
  return durable.step(options.name ?? task.name, () => task.run(input, ports), {
    retryStrategy: toDurableRetryStrategy([...task.errors, ...commonErrors]),
  })
}
