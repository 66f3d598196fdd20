import { DescribeExecutionCommand } from '@aws-sdk/client-sfn'
import { detailsOf } from '@stepwright/asl-graph'
import { ConsoleProblem } from '../problem.ts'
import type { FindPage, FoundPayload, ListedExecution } from '../protocol.ts'
import type { ApiContext, ApiRoutes } from './context.ts'
import { listExecutions } from './list-executions.ts'
import { readCount } from './read-query.ts'

/** So long one request searches; the page asks again for the rest. */
const budgetMs = 400
const excerptCharacters = 60

export const findRoutes: ApiRoutes = {
  'GET /api/find': async ({ query }, context): Promise<FindPage> => {
    const text = query.get('text') ?? ''
    if (text === '') throw new ConsoleProblem(400, 'Say what is to be found.')
    const { executions } = await listExecutions(context)
    const started = performance.now()
    const found: FoundPayload[] = []
    let searched = readCount(query, 'offset')
    while (searched < executions.length && performance.now() - started < budgetMs) {
      found.push(...(await findIn(context, executions[searched] as ListedExecution, text)))
      searched += 1
    }
    return { found, searched, total: executions.length }
  },
}

async function findIn(
  context: ApiContext,
  execution: ListedExecution,
  text: string,
): Promise<readonly FoundPayload[]> {
  const { input, output, cause } = await context.stepFunctions.send(
    new DescribeExecutionCommand({ executionArn: execution.arn }),
  )
  const found: FoundPayload[] = []
  const look = (where: string, payload: string | undefined, eventId?: number): void => {
    const at = payload?.indexOf(text) ?? -1
    if (payload === undefined || at === -1) return
    const excerpt = payload.slice(Math.max(0, at - excerptCharacters), at + text.length + excerptCharacters)
    found.push({ execution, where, eventId, excerpt })
  }
  look('input', input)
  look('output', output)
  look('cause', cause)
  let state = ''
  for (const event of await context.histories.read(execution.arn)) {
    const details = detailsOf(event as object)
    if (typeof details['name'] === 'string') state = details['name']
    for (const field of ['input', 'output', 'parameters', 'cause'] as const) {
      const payload = details[field]
      if (event.type?.startsWith('Execution') || typeof payload !== 'string') continue
      look(`${state} · ${event.type} · ${field}`, payload, event.id)
    }
    if (found.length > 20) break
  }
  return found
}
