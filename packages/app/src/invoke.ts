import { parseCause, type TaskErrorClass, UnexpectedError } from '@stepwright/errors'
import type { AnyTask, InputOf, OutputOf } from '@stepwright/task'
import { type Binding, bindFrom } from './bindings/binding.ts'
import { reference } from './bindings/reference.ts'

/** Calls a function and waits for its result. Lambda may run it twice for one call. */
export type Invoke<T extends AnyTask> = (
  input: InputOf<T>,
  options?: InvokeCallOptions,
) => Promise<OutputOf<T>>

export interface InvokeCallOptions {
  /** Stops waiting. The function itself goes on. */
  readonly signal?: AbortSignal
}

export interface InvokeOptions {
  /** Errors of the task that arrive as themselves. @default none: every failure is an `UnexpectedError` */
  readonly errors?: readonly TaskErrorClass[]
}

/**
 * Another function of the app, by its name: `invoke<typeof reserve>('Reserve')`, with `import type { reserve }`, so that
 * the caller's bundle does not contain its task. `defineApp` rejects a name that the app does not have.
 */
export function invoke<T extends AnyTask>(
  name: string,
  { errors = [] }: InvokeOptions = {},
): Binding<Invoke<T>> {
  return bindFrom(reference({ kind: 'function', name }, 'invoke'), async FunctionName => {
    const { InvokeCommand, LambdaClient } = await import('./lambda-client.ts')
    const client = new LambdaClient({})
    return async (input, { signal } = {}) => {
      const command = new InvokeCommand({ FunctionName, Payload: JSON.stringify(input) })
      const answer = await client.send(command, signal ? { abortSignal: signal } : {})
      const payload = answer.Payload?.transformToString() ?? ''
      if (answer.FunctionError !== undefined) throw toFailure(name, payload, errors)
      return JSON.parse(payload || 'null')
    }
  })
}

function toFailure(functionName: string, report: string, errors: readonly TaskErrorClass[]): Error {
  const { name = 'Error', message, trace: _trace, cut: _cut, ...facts } = parseCause(report)
  const known = errors.find(({ errorName }) => errorName === name)
  if (known !== undefined) return new known(message, facts)
  return new UnexpectedError(`the function ${functionName} failed with ${name}: ${message}`)
}
