import {
  type CreateStateMachineInput,
  ListTagsForResourceCommand,
  paginateListStateMachines,
  type SFNClient,
} from '@aws-sdk/client-sfn'

/** An execution that was forked from another. Its state machine, which is its own, says so in its tags. */
export interface Fork {
  readonly executionArn: string
  /** The execution that it was forked from. */
  readonly origin: string
  readonly machineArn: string
  readonly workflow: string
}

/** Which executions were forked from which. */
export interface Forks {
  originOf(executionArn: string): string | undefined
  of(executionArn: string): readonly string[]
  /** The state machines that forks of these workflows run on. */
  machinesOf(workflows: readonly string[]): readonly string[]
  /** The workflow that a fork's state machine belongs to. */
  workflowOf(machineArn: string): string | undefined
  add(fork: Fork): void
}

const prefix = 'fork-'
const originTag = 'stepwright:origin'
const workflowTag = 'stepwright:workflow'
const executionTag = 'stepwright:execution'

/** What a fork's state machine is called and tagged with, so that it is known when the console is opened anew. */
export function machineOfFork(fork: {
  id: string
  origin: string
  workflow: string
  execution: string
}): Pick<CreateStateMachineInput, 'name' | 'tags'> {
  return {
    name: `${prefix}${fork.id}`,
    tags: [
      { key: originTag, value: fork.origin },
      { key: workflowTag, value: fork.workflow },
      { key: executionTag, value: fork.execution },
    ],
  }
}

/** The forks that there are. */
export async function readForks(client: SFNClient): Promise<Forks> {
  const forks = createForks()
  for await (const { stateMachines = [] } of paginateListStateMachines({ client, pageSize: 1000 }, {})) {
    for (const { stateMachineArn: machineArn = '', name } of stateMachines) {
      if (!name?.startsWith(prefix)) continue
      const { tags = [] } = await client.send(new ListTagsForResourceCommand({ resourceArn: machineArn }))
      const {
        [originTag]: origin,
        [workflowTag]: workflow,
        [executionTag]: execution,
      } = Object.fromEntries(tags.map(({ key = '', value = '' }) => [key, value]))
      if (!origin || workflow === undefined || !execution) continue
      forks.add({ executionArn: executionArnOf(machineArn, execution), origin, machineArn, workflow })
    }
  }
  return forks
}

function executionArnOf(machineArn: string, name: string): string {
  return `${machineArn.replace(':stateMachine:', ':execution:')}:${name}`
}

function createForks(): Forks {
  const byExecution = new Map<string, Fork>()
  const byMachine = new Map<string, Fork>()
  return {
    originOf: arn => byExecution.get(arn)?.origin,
    of: arn =>
      [...byExecution.values()].filter(({ origin }) => origin === arn).map(fork => fork.executionArn),
    machinesOf: workflows =>
      [...byMachine.values()]
        .filter(({ workflow }) => workflows.includes(workflow))
        .map(({ machineArn }) => machineArn),
    workflowOf: arn => byMachine.get(arn)?.workflow,
    add(fork) {
      byExecution.set(fork.executionArn, fork)
      byMachine.set(fork.machineArn, fork)
    },
  }
}
