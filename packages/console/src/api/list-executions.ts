import type { ExecutionListItem } from '@aws-sdk/client-sfn'
import type { ListedExecution } from '../protocol.ts'
import type { ApiContext } from './context.ts'
import { stateMachineOf, workflowOf } from './workflow-of.ts'

export interface ExecutionList {
  readonly executions: readonly ListedExecution[]
  /** `false` where there are more. */
  readonly isComplete: boolean
}

/** The latest first, of one workflow or of all, with their forks. */
export async function listExecutions(context: ApiContext, workflow = ''): Promise<ExecutionList> {
  const { running, forks, index } = context
  const keys = workflow === '' ? Object.keys(running.names.workflows) : [workflow]
  const arns = [...keys.map(key => stateMachineOf(context, key)), ...forks.machinesOf(keys)]
  const lists = await Promise.all(arns.map(arn => index.of(arn)))
  return {
    executions: lists
      .flatMap(({ executions }) => executions.map(one => toListed(context, one)))
      .sort((a, b) => b.startMs - a.startMs),
    isComplete: lists.every(list => list.isComplete),
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
