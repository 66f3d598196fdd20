import { createHash, randomUUID } from 'node:crypto'
import {
  CreateStateMachineCommand,
  DescribeStateMachineCommand,
  DescribeStateMachineForExecutionCommand,
  StartExecutionCommand,
} from '@aws-sdk/client-sfn'
import type { StateMachine } from '@stepwright/asl'
import { ConsoleProblem } from '../problem.ts'
import type { ApiContext, ApiRoutes } from './context.ts'

export const forkRoutes: ApiRoutes = {
  /** Runs again from a state on the top level, as the definition was, or as it is now. */
  'POST /api/fork': async (request, context) => {
    const { arn, state, input, isCurrent, variables, workflow: key } = await request.json()
    const origin = String(arn)
    const { stepFunctions, running } = context
    const workflow = String(key)
    const machine = await stepFunctions.send(
      new DescribeStateMachineForExecutionCommand({ executionArn: origin }),
    )
    const base = running.stateMachineArn(workflow)
    const definition =
      isCurrent === true ? await currentDefinition(context, base) : (machine.definition ?? '{}')
    const text = JSON.stringify(
      startingAt(definition, String(state), variables as Readonly<Record<string, unknown>>),
    )
    const name = `fork-${createHash('sha256').update(base).update(text).digest('hex').slice(0, 24)}`
    const { stateMachineArn = '' } = await stepFunctions.send(
      new CreateStateMachineCommand({ name, definition: text, roleArn: machine.roleArn }),
    )
    const stem = origin.split(':').at(-1)?.slice(0, 50) ?? ''
    const { executionArn = '' } = await stepFunctions.send(
      new StartExecutionCommand({
        stateMachineArn,
        input: String(input ?? '{}'),
        name: `${stem}-fork-${randomUUID().slice(0, 8)}`,
      }),
    )
    context.forks.add({ executionArn, origin, machine: stateMachineArn, base, workflow })
    return { arn: executionArn }
  },
}

async function currentDefinition(
  { stepFunctions, running }: ApiContext,
  stateMachineArn: string,
): Promise<string> {
  await running.reload()
  const { definition = '{}' } = await stepFunctions.send(new DescribeStateMachineCommand({ stateMachineArn }))
  return definition
}

/** The machine from one of its states on; a state before it assigns the variables that the state knew. */
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
  if (Object.keys(variables).length === 0) return { ...machine, StartAt: state }
  const before = `Before ${state}`.slice(0, 80)
  return {
    ...machine,
    StartAt: before,
    States: { ...machine.States, [before]: { Type: 'Pass', Assign: variables as never, Next: state } },
  }
}
