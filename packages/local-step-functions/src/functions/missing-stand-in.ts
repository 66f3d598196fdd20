import { type CallService, TaskFailure } from '@stepwright/asl-engine'

/** A mistake in the set-up, which no catcher may hide. */
export const missingStandIn: CallService = ({ service, action }) => {
  const key = `${service}:${action}`
  throw new TaskFailure(
    'States.Runtime',
    `Nothing on this machine answers ${key}. Give it a stand-in, in the declaration of the app: ` +
      `standIns: { '${key}': { module: 'src/stand-ins.ts', export: '${action}' } }, where the module exports ` +
      `async function ${action}(parameters, { signal }). With startStepFunctions alone: ` +
      `standIns: { '${key}': async (parameters, { signal }) => … }.`,
  )
}
