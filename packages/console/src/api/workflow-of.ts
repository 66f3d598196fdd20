import { ConsoleProblem } from '../problem.ts'
import type { ApiContext } from './context.ts'

/** The app's name for a state machine, for a Map's inside one, or for the one that a fork's was made from; may be empty. */
export function workflowOf({ running, forks }: ApiContext, stateMachineArn: string): string {
  const fork = forks.workflowOf(stateMachineArn)
  if (fork !== undefined) return fork
  const name = stateMachineArn.split(':')[6]?.split('/')[0]
  return Object.entries(running.names.workflows).find(([, physical]) => physical === name)?.[0] ?? ''
}

/** @throws ConsoleProblem if the app has no such workflow */
export function stateMachineOf({ running }: ApiContext, workflow: string): string {
  if (!Object.hasOwn(running.names.workflows, workflow))
    throw new ConsoleProblem(404, `There is no workflow ${workflow}.`)
  return running.stateMachineArn(workflow)
}
