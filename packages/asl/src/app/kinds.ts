import type { App, FunctionDeclaration } from '@stepwright/app'
import type { Report } from '../finding.ts'
import { statesOf } from '../machine/machine.ts'
import { functionNameOf } from '../machine/resource.ts'
import { under } from '../source/pointer.ts'
import type { AppWorkflow } from './app-workflow.ts'

/** What calls a function that is not made for a state. */
const callers = {
  http: 'a route',
  stream: 'a route',
  sqs: 'a queue',
  event: 'a rule or schedule',
  dynamodb: 'the stream of a table',
} as const

/** A state passes its input as it is: a function made for requests or messages does not understand it. */
export function checkKinds(app: App, { machine, functionOf }: AppWorkflow, report: Report): void {
  if (machine === undefined) return
  for (const state of statesOf(machine)) {
    const name = functionOf(functionNameOf(state) ?? '')
    const { kind = 'call' }: Partial<FunctionDeclaration> = app.functions[name ?? ''] ?? {}
    if (kind === 'call') continue
    report(
      'app/function-kind',
      under(state.pointer, 'Resource'),
      `"${state.name}" calls ${name}, which is made for ${callers[kind]}.`,
      { suggestion: `Make a function for the state with lambda(task, bindings), and call that.` },
    )
  }
}
