import type { App } from '@stepwright/app'
import type { StateMachine } from '@stepwright/asl'
import type { RunningApp } from '@stepwright/local-cloud'
import { statesByName } from '../state-nodes.ts'

type Task = (input: unknown) => Promise<unknown>

/**
 * For each state that calls a function of the app, that function as it is now. A state that waits for a task token is left
 * out: what answers it is not the function.
 */
export function handlersOfToday(
  app: App,
  workflow: string,
  definition: StateMachine,
  running: Pick<RunningApp, 'invoke'>,
): Readonly<Record<string, Task>> {
  const substitutions = app.workflows?.[workflow]?.substitutions ?? {}
  const tasks: Record<string, Task> = {}
  for (const [name, state] of statesByName(definition)) {
    const { Resource, Parameters, Arguments } = state as {
      readonly Resource?: string
      readonly Parameters?: { readonly FunctionName?: string }
      readonly Arguments?: { readonly FunctionName?: string }
    }
    if (Resource?.includes('.waitForTaskToken')) continue
    const called = Parameters?.FunctionName ?? Arguments?.FunctionName ?? Resource ?? ''
    const placeholder = /\$\{([^{}]+)\}/.exec(called)?.[1] ?? ''
    const given = (substitutions as Readonly<Record<string, { readonly function?: string }>>)[placeholder]
    const functionName = given?.function ?? placeholder
    if (Object.hasOwn(app.functions, functionName)) tasks[name] = input => running.invoke(functionName, input)
  }
  return tasks
}
