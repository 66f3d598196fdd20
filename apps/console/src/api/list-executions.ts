import {
  type ExecutionListItem,
  ListExecutionsCommand,
  type ListExecutionsCommandOutput,
} from '@aws-sdk/client-sfn'
import type { ListedExecution } from '../protocol.ts'
import type { ApiContext } from './context.ts'
import { stateMachineOf, workflowOf } from './workflow-of.ts'

const pageSize = 1000
/** Of each workflow; older ones are found by their ARN only. */
const maxListed = 5000

export interface ExecutionList {
  readonly executions: readonly ListedExecution[]
  /** `false` where there are more. */
  readonly isComplete: boolean
}

/** The latest first, of one workflow or of all, with their forks. */
export async function listExecutions(context: ApiContext, workflow = ''): Promise<ExecutionList> {
  const { running, forks } = context
  const keys = workflow === '' ? Object.keys(running.names.workflows) : [workflow]
  const arns = [...keys.map(key => stateMachineOf(context, key)), ...forks.machinesOf(keys)]
  const lists = await Promise.all(arns.map(arn => listOf(context, arn)))
  return {
    executions: lists.flatMap(list => list.executions).sort((a, b) => b.startMs - a.startMs),
    isComplete: lists.every(list => list.isComplete),
  }
}

async function listOf(context: ApiContext, stateMachineArn: string): Promise<ExecutionList> {
  const executions: ListedExecution[] = []
  for (let nextToken: string | undefined; ; ) {
    let page: ListExecutionsCommandOutput
    try {
      page = await context.stepFunctions.send(
        new ListExecutionsCommand({ stateMachineArn, maxResults: pageSize, ...(nextToken && { nextToken }) }),
      )
    } catch (error) {
      // Express executions that nobody keeps.
      if ((error as Error).name === 'StateMachineTypeNotSupported') return { executions, isComplete: true }
      throw error
    }
    executions.push(...(page.executions ?? []).map(one => toListed(context, one)))
    nextToken = page.nextToken
    if (nextToken === undefined) return { executions, isComplete: true }
    if (executions.length >= maxListed) return { executions, isComplete: false }
  }
}

export function toListed(context: ApiContext, one: Partial<ExecutionListItem>): ListedExecution {
  return {
    arn: one.executionArn ?? '',
    name: one.name ?? '',
    workflow: workflowOf(context, one.stateMachineArn ?? ''),
    status: one.status ?? '',
    startMs: one.startDate?.getTime() ?? 0,
    stopMs: one.stopDate?.getTime(),
    redriveCount: one.redriveCount ?? 0,
    forkOf: context.forks.originOf(one.executionArn ?? ''),
  }
}
