import type { StandardSchemaV1 } from '@standard-schema/spec'
import { ValidationError } from '@stepwright/errors'
import { limitTask } from './limit-task.ts'
import type { AnyTask, InputOf, OutputOf, PortsOf, Task } from './task.ts'
import type { GivenContext } from './task-context.ts'

export interface RouterDefinition<Field extends string, Routes extends Readonly<Record<string, AnyTask>>> {
  readonly name: string
  /** The input's field that says which task is meant: `eventType`. */
  readonly field: Field
  readonly routes: Routes
  /**
   * The `maxSeconds` of routes, where their tasks have none or a longer one: a packaged task does not know the
   * state that waits for it.
   */
  readonly maxSeconds?: { readonly [Route in keyof Routes]?: number }
}

type RoutedInput<Field extends string, Routes> = {
  [Value in keyof Routes]: { readonly [F in Field]: Value } & InputOf<Routes[Value]>
}[keyof Routes]

type AllOf<Union> = (Union extends unknown ? (part: Union) => void : never) extends (all: infer All) => void
  ? All
  : never

type Fields = Readonly<Record<string, unknown>>

/** Many tasks as one, for one Lambda: the value of a field decides which of them runs. */
export function routeTasks<const Field extends string, Routes extends Readonly<Record<string, AnyTask>>>({
  name,
  field,
  routes: tasks,
  maxSeconds = {},
}: RouterDefinition<Field, Routes>): Task<
  RoutedInput<Field, Routes>,
  OutputOf<Routes[keyof Routes]>,
  AllOf<PortsOf<Routes[keyof Routes]>>
> {
  const known = Object.keys(tasks)
  const routes: Readonly<Record<string, AnyTask>> = Object.fromEntries(
    Object.entries(tasks).map(([value, task]) => [value, limitTask(task, maxSeconds[value])]),
  )
  return {
    name,
    input: anything,
    output: anything,
    errors: [...new Set([ValidationError, ...Object.values(routes).flatMap(task => task.errors)])],
    routes,
    async run(input, ...[ports, context]) {
      const value = (input as Fields | null | undefined)?.[field]
      const task = typeof value === 'string' && Object.hasOwn(routes, value) ? routes[value] : undefined
      if (task === undefined) {
        throw new ValidationError(`${field} is ${describe(value)}; ${name} knows ${known.join(', ')}`, {
          details: { field, known },
        })
      }
      const given = { ...context, onInput: knowing(field, context?.onInput) }
      return task.run(input, ports, given)
    },
  }
}

/** The routing field is known, though the route's own schema may leave it out. */
function knowing(field: string, onInput: GivenContext['onInput']): GivenContext['onInput'] {
  return (
    onInput &&
    ((given, parsed) => onInput(given, { ...(parsed as object), [field]: (given as Fields)[field] }))
  )
}

/** Each route checks its own input and output. */
const anything: StandardSchemaV1 = {
  '~standard': { version: 1, vendor: 'stepwright', validate: value => ({ value }) },
}

function describe(value: unknown): string {
  return value === undefined ? 'missing' : (JSON.stringify(value)?.slice(0, 100) ?? String(value))
}
