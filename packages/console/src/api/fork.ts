import { randomUUID } from 'node:crypto'
import {
  CreateStateMachineCommand,
  DescribeStateMachineCommand,
  DescribeStateMachineForExecutionCommand,
  StartExecutionCommand,
} from '@aws-sdk/client-sfn'
import type { StateMachine } from '@stepwright/asl'
import { ConsoleProblem } from '../problem.ts'
import type { ApiContext, ApiRoutes } from './context.ts'
import { machineOfFork } from './forks.ts'
import { workflowOf } from './workflow-of.ts'

export const forkRoutes: ApiRoutes = {
  /** Runs again from a state on the top level, as the definition was, or as it is now. */
  'POST /api/fork': async (request, context) => {
    const { arn, state, input, isCurrent, variables = {} } = await request.json()
    const origin = String(arn)
    const { stepFunctions } = context
    const machine = await stepFunctions.send(
      new DescribeStateMachineForExecutionCommand({ executionArn: origin }),
    )
    const workflow = workflowOf(context, machine.stateMachineArn ?? '')
    const definition =
      isCurrent === true ? await currentDefinition(context, workflow) : (machine.definition ?? '{}')
    const text = JSON.stringify(
      startingAt(definition, String(state), variables as Readonly<Record<string, unknown>>),
    )
    const id = randomUUID().slice(0, 13)
    const execution = `${origin.split(':').at(-1)?.slice(0, 50)}-fork-${id.slice(0, 8)}`
    const { stateMachineArn: machineArn = '' } = await stepFunctions.send(
      new CreateStateMachineCommand({
        ...machineOfFork({ id, origin, workflow, execution }),
        definition: text,
        roleArn: machine.roleArn,
      }),
    )
    const { executionArn = '' } = await stepFunctions.send(
      new StartExecutionCommand({
        stateMachineArn: machineArn,
        input: String(input ?? '{}'),
        name: execution,
      }),
    )
    context.forks.add({ executionArn, origin, machineArn, workflow })
    return { arn: executionArn }
  },
}

async function currentDefinition({ stepFunctions, running }: ApiContext, workflow: string): Promise<string> {
  if (workflow === '')
    throw new ConsoleProblem(
      400,
      'The execution is of no workflow of the app: there is no file to take anew.',
    )
  await running.reload()
  const { definition = '{}' } = await stepFunctions.send(
    new DescribeStateMachineCommand({ stateMachineArn: running.stateMachineArn(workflow) }),
  )
  return definition
}

/**
 * The machine from one of its states on, without those that cannot be reached any more, which Step Functions refuses. A
 * state before it assigns the variables that the state knew.
 */
export function startingAt(
  definition: string,
  state: string,
  variables: Readonly<Record<string, unknown>> = {},
): StateMachine {
  const machine = JSON.parse(definition) as StateMachine
  if (!Object.hasOwn(machine.States, state)) {
    throw new ConsoleProblem(
      400,
      `An execution can begin at a state on the top level of the machine, and ${state} is not one: choose the Map or Parallel around it.`,
    )
  }
  const States = reachable(machine.States, state)
  if (Object.keys(variables).length === 0) return { ...machine, StartAt: state, States }
  const before = unusedName(`Before ${state}`, States)
  return {
    ...machine,
    StartAt: before,
    States: { ...States, [before]: { Type: 'Pass', Assign: variables as never, Next: state } },
  }
}

type States = StateMachine['States']

function reachable(states: States, first: string): States {
  const found = new Set([first])
  for (const name of found) {
    const state = states[name] as Partial<{
      Next: string
      Default: string
      Choices: readonly { readonly Next: string }[]
      Catch: readonly { readonly Next: string }[]
    }>
    const { Next, Default, Choices = [], Catch = [] } = state
    const leads = [Next, Default, ...[...Choices, ...Catch].map(rule => rule.Next)]
    for (const to of leads) if (to !== undefined && Object.hasOwn(states, to)) found.add(to)
  }
  return Object.fromEntries(Object.entries(states).filter(([name]) => found.has(name)))
}

/** States' names have 80 characters at most. */
function unusedName(wanted: string, states: States): string {
  let name = wanted.slice(0, 80)
  for (let turn = 1; Object.hasOwn(states, name); turn += 1) name = `${wanted.slice(0, 76)} ${turn}`
  return name
}
