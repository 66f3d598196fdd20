import { type App, functionDefaults } from '@stepwright/app'
import type { AnyTask } from '@stepwright/task'
import { followRoute } from '../contract/contract.ts'
import type { Report } from '../finding.ts'
import { isObject } from '../json.ts'
import { type StateNode, statesOf } from '../machine/machine.ts'
import { functionNameOf } from '../machine/resource.ts'
import { under } from '../source/pointer.ts'
import type { AppWorkflow } from './app-workflow.ts'

/** Each limit must lie inside the next: function, state, machine. */
export function checkTimeouts(app: App, { source, machine, functionOf }: AppWorkflow, report: Report): void {
  if (machine === undefined || !isObject(source.value)) return
  const whole = source.value['TimeoutSeconds']
  for (const state of statesOf(machine)) {
    const limit = state.fields['TimeoutSeconds']
    if (typeof limit !== 'number') continue
    const pointer = under(state.pointer, 'TimeoutSeconds')
    if (typeof whole === 'number' && limit > whole) {
      report(
        'app/timeouts-do-not-nest',
        pointer,
        `"${state.name}" may take ${limit} s, and the machine as a whole ${whole} s.`,
      )
    }
    const name = functionOf(functionNameOf(state) ?? '')
    if (name === undefined) continue
    const { subject, option, seconds } = limitOf(app, name, state)
    if (limit < seconds) {
      const message = `"${state.name}" gives up after ${limit} s, but ${subject} may go on for ${seconds} s.`
      report('app/timeouts-do-not-nest', pointer, message, {
        suggestion: `Give ${subject} ${option} of ${limit} at most, or the state ${seconds}.`,
      })
    }
  }
}

/** What ends the work behind a state first: the function, or the task in it that the state reaches. */
function limitOf(
  app: App,
  name: string,
  state: StateNode,
): { readonly subject: string; readonly option: string; readonly seconds: number } {
  const { task, timeoutSeconds = functionDefaults.timeoutSeconds } = app.functions[name] ?? {}
  const reached = followRoute<AnyTask>(task, state)
  if (reached?.maxSeconds !== undefined && reached.maxSeconds < timeoutSeconds) {
    return { subject: `the task ${reached.name}`, option: 'a maxSeconds', seconds: reached.maxSeconds }
  }
  const routed = reached !== task && reached !== undefined
  return {
    subject: name,
    option: routed ? `a timeoutSeconds, or its task ${reached.name} a maxSeconds,` : 'a timeoutSeconds',
    seconds: timeoutSeconds,
  }
}
