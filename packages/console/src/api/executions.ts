import {
  DescribeExecutionCommand,
  DescribeStateMachineCommand,
  DescribeStateMachineForExecutionCommand,
  type ExecutionStatus,
  ListExecutionsCommand,
  RedriveExecutionCommand,
  StartExecutionCommand,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn'
import type { ChildPage, ExecutionDescription, ExecutionPage, WorkflowSummary } from '../protocol.ts'
import type { ApiRoutes } from './context.ts'
import { costOf } from './cost.ts'
import { toLightEvent } from './histories.ts'
import { listExecutions, toListed } from './list-executions.ts'
import { describeMapRuns, parentOf } from './map-runs.ts'
import { readCount } from './read-query.ts'
import { assertInput } from './workflow-input.ts'
import { stateMachineOf, workflowOf } from './workflow-of.ts'

const pageSize = 200
const maxPageSize = 5000

export const executionRoutes: ApiRoutes = {
  'GET /api/executions': async ({ query }, context): Promise<ExecutionPage> => {
    const statuses = (query.get('status') ?? '').split(',').filter(Boolean)
    const search = (query.get('search') ?? '').toLowerCase()
    const from = readCount(query, 'from')
    const offset = readCount(query, 'offset')
    const limit = Math.min(maxPageSize, readCount(query, 'limit') || pageSize)
    const { executions, isComplete } = await listExecutions(context, query.get('workflow') ?? '')
    const wanted = executions.filter(
      one =>
        (statuses.length === 0 || statuses.includes(one.status)) &&
        one.startMs >= from &&
        (search === '' || one.name.toLowerCase().includes(search)),
    )
    return { executions: wanted.slice(offset, offset + limit), total: wanted.length, isComplete }
  },

  'POST /api/executions': async (request, context) => {
    const { workflow, input, name } = await request.json()
    const text = String(input ?? '{}')
    const stateMachineArn = stateMachineOf(context, String(workflow))
    await assertInput(context.app, String(workflow), text)
    const { executionArn } = await context.stepFunctions.send(
      new StartExecutionCommand({
        stateMachineArn,
        input: text,
        ...(typeof name === 'string' && name !== '' && { name }),
      }),
    )
    return { arn: executionArn }
  },

  /** How the executions of each workflow went, as far as they are listed. */
  'GET /api/workflows': async (_, context): Promise<{ readonly workflows: readonly WorkflowSummary[] }> => {
    const { executions } = await listExecutions(context)
    const byWorkflow = Map.groupBy(executions, ({ workflow }) => workflow)
    return {
      workflows: Object.keys(context.running.names.workflows).map(key => {
        const own = byWorkflow.get(key) ?? []
        const byStatus = Map.groupBy(own, ({ status }) => status)
        return {
          key,
          counts: Object.fromEntries([...byStatus].map(([status, list]) => [status, list.length])),
          latestMs: own[0]?.startMs,
        }
      }),
    }
  },

  'GET /api/workflow': async ({ query }, context) => {
    const workflow = query.get('workflow') ?? ''
    const { definition = '{}' } = await context.stepFunctions.send(
      new DescribeStateMachineCommand({ stateMachineArn: stateMachineOf(context, workflow) }),
    )
    return { definition, findings: context.check(workflow) }
  },

  'GET /api/execution': async ({ query }, context): Promise<ExecutionDescription> => {
    const executionArn = query.get('arn') ?? ''
    const { stepFunctions, forks, histories } = context
    const [described, machine, events] = await Promise.all([
      stepFunctions.send(new DescribeExecutionCommand({ executionArn })),
      stepFunctions.send(new DescribeStateMachineForExecutionCommand({ executionArn })),
      histories.read(executionArn),
    ])
    const listed = toListed(context, described)
    const parent = described.mapRunArn && (await parentOf(context, described.mapRunArn))
    return {
      ...listed,
      parent,
      input: described.input ?? '',
      output: described.output,
      error: described.error,
      cause: described.cause,
      canRedrive: described.redriveStatus === 'REDRIVABLE',
      definition: machine.definition ?? '{}',
      // Those of a workflow point into its definition, and not into that of a Map inside.
      findings: parent ? [] : context.check(workflowOf(context, described.stateMachineArn ?? '')),
      mapRuns: await describeMapRuns(context, events),
      cost: costOf(context, executionArn, events),
      forks: forks.of(executionArn),
    }
  },

  'GET /api/children': async ({ query }, context): Promise<ChildPage> => {
    const [status, after] = [query.get('status'), query.get('after')]
    const { executions = [], nextToken } = await context.stepFunctions.send(
      new ListExecutionsCommand({
        mapRunArn: query.get('mapRun') ?? '',
        maxResults: pageSize,
        ...(status && { statusFilter: status as ExecutionStatus }),
        ...(after && { nextToken: after }),
      }),
    )
    return { children: executions.map(one => toListed(context, one)), next: nextToken }
  },

  'GET /api/history': async ({ query }, { histories }) => {
    const events = await histories.read(query.get('arn') ?? '')
    return { events: events.slice(readCount(query, 'after')).map(toLightEvent) }
  },

  /** Some events with their payloads, or all. Thousands of ids are too long for an address. */
  'POST /api/events': async (request, { histories }) => {
    const { arn, ids } = await request.json()
    const events = await histories.read(String(arn))
    if (!Array.isArray(ids)) return { events }
    const wanted = new Set(ids)
    return { events: events.filter(({ id = 0 }) => wanted.has(id)) }
  },

  'POST /api/stop': async (request, { stepFunctions }) => {
    const { arn } = await request.json()
    await stepFunctions.send(
      new StopExecutionCommand({
        executionArn: String(arn),
        error: 'Stopped',
        cause: 'Stopped in the console.',
      }),
    )
    return {}
  },

  'POST /api/redrive': async (request, { stepFunctions }) => {
    const { arn } = await request.json()
    await stepFunctions.send(new RedriveExecutionCommand({ executionArn: String(arn) }))
    return {}
  },
}
