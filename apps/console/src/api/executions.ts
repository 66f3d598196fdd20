import {
  DescribeExecutionCommand,
  DescribeMapRunCommand,
  DescribeStateMachineCommand,
  DescribeStateMachineForExecutionCommand,
  type ExecutionListItem,
  type ExecutionStatus,
  ListExecutionsCommand,
  type ListExecutionsCommandOutput,
  RedriveExecutionCommand,
  StartExecutionCommand,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn'
import { ConsoleProblem } from '../problem.ts'
import type {
  ChildPage,
  ExecutionDescription,
  ExecutionPage,
  ListedExecution,
  MapRunDescription,
} from '../protocol.ts'
import type { ApiContext, ApiRoutes } from './context.ts'
import { toLightEvent } from './histories.ts'
import { assertInput } from './workflow-input.ts'

const pageSize = 1000
/** Of each workflow; older ones are found by their name only. */
const maxListed = 5000

export const executionRoutes: ApiRoutes = {
  'GET /api/executions': async ({ query }, context): Promise<ExecutionPage> => {
    const status = query.get('status') ?? ''
    const search = (query.get('search') ?? '').toLowerCase()
    const from = Number(query.get('from') ?? 0)
    const offset = Number(query.get('offset') ?? 0)
    const { executions, isComplete } = await listAll(context, query.get('workflow') ?? '')
    const wanted = executions.filter(
      one =>
        (status === '' || one.status === status) &&
        one.startMs >= from &&
        (search === '' || one.name.toLowerCase().includes(search)),
    )
    return { executions: wanted.slice(offset, offset + 200), total: wanted.length, isComplete }
  },

  'POST /api/executions': async (request, context) => {
    const { workflow, input, name } = await request.json()
    const text = String(input ?? '{}')
    await assertInput(context.app, String(workflow), text)
    const { executionArn } = await context.stepFunctions.send(
      new StartExecutionCommand({
        stateMachineArn: context.running.stateMachineArn(String(workflow)),
        input: text,
        ...(typeof name === 'string' && name !== '' && { name }),
      }),
    )
    return { arn: executionArn }
  },

  'GET /api/workflow': async ({ query }, context) => {
    const workflow = query.get('workflow') ?? ''
    const { definition = '{}' } = await context.stepFunctions.send(
      new DescribeStateMachineCommand({ stateMachineArn: context.running.stateMachineArn(workflow) }),
    )
    return { definition, findings: context.check(workflow) }
  },

  'GET /api/execution': async ({ query }, context): Promise<ExecutionDescription> => {
    const executionArn = query.get('arn') ?? ''
    const { stepFunctions, forks } = context
    const [described, machine, mapRuns] = await Promise.all([
      stepFunctions.send(new DescribeExecutionCommand({ executionArn })),
      stepFunctions.send(new DescribeStateMachineForExecutionCommand({ executionArn })),
      describeMapRuns(context, executionArn),
    ])
    const workflow = workflowOf(context, described.stateMachineArn ?? '')
    return {
      arn: executionArn,
      name: described.name ?? '',
      workflow,
      status: described.status ?? '',
      startMs: described.startDate?.getTime() ?? 0,
      stopMs: described.stopDate?.getTime(),
      redriveCount: described.redriveCount ?? 0,
      forkOf: forks.originOf(executionArn),
      input: described.input ?? '',
      output: described.output,
      error: described.error,
      cause: described.cause,
      canRedrive: described.redriveStatus === 'REDRIVABLE',
      definition: machine.definition ?? '{}',
      findings: context.check(workflow),
      mapRuns,
      forks: forks.of(executionArn),
    }
  },

  'GET /api/children': async ({ query }, context): Promise<ChildPage> => {
    const [status, after] = [query.get('status'), query.get('after')]
    const { executions = [], nextToken } = await context.stepFunctions.send(
      new ListExecutionsCommand({
        mapRunArn: query.get('mapRun') ?? '',
        maxResults: 200,
        ...(status && { statusFilter: status as ExecutionStatus }),
        ...(after && { nextToken: after }),
      }),
    )
    return { children: executions.map(one => toListed(context, one)), next: nextToken }
  },

  'GET /api/history': async ({ query }, { histories }) => {
    const after = Number(query.get('after') ?? 0)
    const events = await histories.read(query.get('arn') ?? '')
    return { events: events.slice(after).map(toLightEvent) }
  },

  'GET /api/events': async ({ query }, { histories }) => {
    const wanted = new Set((query.get('ids') ?? '').split(',').map(Number))
    const events = await histories.read(query.get('arn') ?? '')
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

/** The latest first, of one workflow or of all. */
export async function listAll(
  context: ApiContext,
  workflow = '',
): Promise<{ readonly executions: readonly ListedExecution[]; readonly isComplete: boolean }> {
  const keys = Object.keys(context.running.names.workflows).filter(key => workflow === '' || key === workflow)
  if (keys.length === 0) throw new ConsoleProblem(404, `There is no workflow ${workflow}.`)
  const arns = keys.map(key => context.running.stateMachineArn(key))
  const lists = await Promise.all(
    [...arns, ...context.forks.machinesOf(arns)].map(arn => listOf(context, arn)),
  )
  const executions = lists.flatMap(list => list.executions).sort((a, b) => b.startMs - a.startMs)
  return { executions, isComplete: lists.every(list => list.isComplete) }
}

function toListed(context: ApiContext, one: ExecutionListItem): ListedExecution {
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

async function listOf(context: ApiContext, stateMachineArn: string) {
  const executions: ListedExecution[] = []
  for (let nextToken: string | undefined; ; ) {
    let page: ListExecutionsCommandOutput
    try {
      page = await context.stepFunctions.send(
        new ListExecutionsCommand({ stateMachineArn, maxResults: pageSize, ...(nextToken && { nextToken }) }),
      )
    } catch (error) {
      // Express executions are not listed.
      if ((error as Error).name === 'StateMachineTypeNotSupported') return { executions, isComplete: true }
      throw error
    }
    executions.push(...(page.executions ?? []).map(one => toListed(context, one)))
    nextToken = page.nextToken
    if (nextToken === undefined) return { executions, isComplete: true }
    if (executions.length >= maxListed) return { executions, isComplete: false }
  }
}

/** The app's name for a state machine, or for the one that a fork's was made from. */
function workflowOf({ running, forks }: ApiContext, stateMachineArn: string): string {
  const own = forks.workflowOf(stateMachineArn)
  if (own !== undefined) return own
  const name = stateMachineArn.split(':')[6]
  return Object.entries(running.names.workflows).find(([, physical]) => physical === name)?.[0] ?? ''
}

export async function describeMapRuns(
  { stepFunctions, histories }: ApiContext,
  executionArn: string,
): Promise<readonly MapRunDescription[]> {
  const events = await histories.read(executionArn)
  const mapRuns = events.flatMap(({ mapRunStartedEventDetails: { mapRunArn } = {} }) => mapRunArn ?? [])
  return Promise.all(
    mapRuns.map(async mapRunArn => {
      const run = await stepFunctions.send(new DescribeMapRunCommand({ mapRunArn }))
      const {
        total = 0,
        succeeded = 0,
        failed = 0,
        running = 0,
        pending = 0,
        aborted = 0,
      } = run.itemCounts ?? {}
      return {
        arn: mapRunArn,
        status: run.status ?? '',
        startMs: run.startDate?.getTime() ?? 0,
        stopMs: run.stopDate?.getTime(),
        maxConcurrency: run.maxConcurrency ?? 0,
        toleratedFailureCount: run.toleratedFailureCount ?? 0,
        toleratedFailurePercentage: run.toleratedFailurePercentage ?? 0,
        items: { total, started: total - pending, succeeded, failed, running, pending, aborted },
      }
    }),
  )
}
