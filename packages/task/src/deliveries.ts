import type { TaskError } from '@stepwright/errors'
import type { DeadLetters } from './dead-letters.ts'
import { createInvocation, type InvocationOptions, type LambdaContext, spare } from './invocation.ts'
import { powertoolsFor } from './powertools.ts'
import type { AnyTask, PortsOf } from './task.ts'

/** How a task takes what a service delivers to a function. */
export interface DeliveryOptions<T extends AnyTask, Source> extends InvocationOptions<T> {
  /** The task's input from what was delivered; the task's schema checks it. */
  readonly input?: (source: Source) => unknown
  /** Where a business failure goes at once. Without it the service delivers again and again, until it gives up. */
  readonly deadLetters?: DeadLetters | (() => DeadLetters | Promise<DeadLetters>)
}

type BuildPorts<T extends AnyTask> = () => PortsOf<T> | Promise<PortsOf<T>>

/** One thing to deliver. */
export interface Delivery<Source> {
  readonly id: string
  readonly source: Source
  /** As text, for the dead letters. */
  readonly body: string
}

/** The error for which it must be delivered again; none where it is settled: done, or among the dead letters. */
export type Deliver<Source> = (
  delivery: Delivery<Source>,
  lambda: LambdaContext | undefined,
) => Promise<TaskError | undefined>

/** Runs a task once per delivery, with log, metrics and deadline of its own. */
export function createDelivery<T extends AnyTask, Source>(
  task: T,
  toInput: (source: Source) => unknown,
  options: DeliveryOptions<T, Source>,
): Deliver<Source> {
  const { input = toInput, deadLetters, ports } = options
  const sinks = powertoolsFor(task.name, options)
  let letters: DeadLetters | undefined
  const delivered: AnyTask = {
    ...task,
    run: (source: Source, given, context) => task.run(input(source), given, context),
  }
  const invoke = createInvocation(delivered, sinks, result => result, {
    ...options,
    async ports(): Promise<PortsOf<T>> {
      letters = typeof deadLetters === 'function' ? await deadLetters() : deadLetters
      return typeof ports === 'function' ? (ports as BuildPorts<T>)() : (ports as PortsOf<T>)
    },
  })

  return async ({ id, source, body }, lambda) => {
    try {
      await invoke(source, lambda)
      return undefined
    } catch (thrown) {
      const error = thrown as TaskError
      if (error.kind === 'retryable' || letters === undefined) return error
      try {
        await letters.send({ task: task.name, id, body, error })
        return undefined
      } catch (reason) {
        const fields = {
          error: { name: error.name },
          id,
          reason: (reason as Partial<Error> | undefined)?.name,
        }
        spare(() => sinks.logger.error(`a dead letter of ${task.name} was not sent`, fields))
        return error
      }
    }
  }
}
