import { type AnyApp, functionDefaults } from '@stepwright/app'
import type { Report } from '../finding.ts'
import { isObject } from '../json.ts'
import { statesOf } from '../machine/machine.ts'
import { functionNameOf } from '../machine/resource.ts'
import type { AppWorkflow } from './app-workflow.ts'

/** Each limit must lie inside the next: function, state, machine. */
export function checkTimeouts(
  app: AnyApp,
  { source, machine, functionOf }: AppWorkflow,
  report: Report,
): void {
  if (machine === undefined || !isObject(source.value)) return
  const whole = source.value['TimeoutSeconds']
  for (const state of statesOf(machine)) {
    const limit = state.fields['TimeoutSeconds']
    if (typeof limit !== 'number') continue
    const pointer = [...state.pointer, 'TimeoutSeconds']
    if (typeof whole === 'number' && limit > whole) {
      report(
        'app/timeouts-do-not-nest',
        pointer,
        `"${state.name}" may take ${limit} s, and the machine as a whole ${whole} s.`,
      )
    }
    const name = functionOf(functionNameOf(state) ?? '')
    const seconds =
      name === undefined
        ? undefined
        : (app.functions[name]?.timeoutSeconds ?? functionDefaults.timeoutSeconds)
    if (seconds !== undefined && limit < seconds) {
      const message = `"${state.name}" gives up after ${limit} s, but ${name} may go on for ${seconds} s.`
      report('app/timeouts-do-not-nest', pointer, message, {
        suggestion: `Give ${name} a timeoutSeconds of ${limit} at most, or the state ${seconds}.`,
      })
    }
  }
}
