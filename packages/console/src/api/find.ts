import { setImmediate as rest } from 'node:timers/promises'
import type { HistoryEvent } from '@aws-sdk/client-sfn'
import { detailsOf, type GraphEvent } from '@stepwright/asl-graph'
import { ConsoleProblem } from '../problem.ts'
import type { FindPage, FoundPayload, ListedExecution } from '../protocol.ts'
import type { ApiContext, ApiRoutes } from './context.ts'
import { mapRunArnsOf } from './cost.ts'
import { listExecutions } from './list-executions.ts'
import { readCount } from './read-query.ts'

/** So long one request searches; the page asks again for the rest. */
const budgetMs = 400
const excerptCharacters = 60
const maxFoundInOne = 20
/** So many are looked through before others get their turn. */
const executionsBetweenRests = 25

export const findRoutes: ApiRoutes = {
  'GET /api/find': async ({ query }, context): Promise<FindPage> => {
    const text = query.get('text') ?? ''
    if (text === '') throw new ConsoleProblem(400, 'Say what is to be found.')
    const { executions } = await listExecutions(context)
    const started = performance.now()
    const found: FoundPayload[] = []
    const texts = [...new Set([text, JSON.stringify(text).slice(1, -1)])]
    let searched = readCount(query, 'offset')
    while (searched < executions.length && performance.now() - started < budgetMs) {
      found.push(...(await findIn(context, executions[searched] as ListedExecution, texts)))
      searched += 1
      if (searched % executionsBetweenRests === 0) await rest()
    }
    return { found, searched, total: executions.length }
  },
}

/** In an execution, and in the children of its Distributed Maps. */
async function findIn(
  context: ApiContext,
  execution: ListedExecution,
  texts: readonly string[],
): Promise<readonly FoundPayload[]> {
  const events = await eventsOf(context, execution.arn)
  const found = findInEvents(events, execution, texts)
  for (const mapRunArn of mapRunArnsOf(events as readonly HistoryEvent[])) {
    const { childrenWithText } = context.running.services.stepFunctions
    for (const child of childrenWithText(mapRunArn, texts, maxFoundInOne)) {
      const listed = { ...child, arn: child.executionArn, workflow: execution.workflow, forkOf: undefined }
      found.push(...findInEvents(await eventsOf(context, child.executionArn), listed, texts))
    }
  }
  return found.slice(0, maxFoundInOne)
}

function findInEvents(
  events: readonly GraphEvent[],
  execution: ListedExecution,
  texts: readonly string[],
): FoundPayload[] {
  const found: FoundPayload[] = []
  let state = ''
  for (const event of events) {
    const { id: eventId, type = '' } = event
    const details = detailsOf(event)
    if (typeof details['name'] === 'string') state = details['name']
    const isOwn = !type.startsWith('Execution')
    for (const field of ['input', 'output', 'parameters', 'cause'] as const) {
      const excerpt = excerptOf(details[field], texts)
      if (excerpt === undefined) continue
      const where = isOwn ? `${state} · ${type} · ${field}` : field
      found.push({ execution, where, eventId: isOwn ? eventId : undefined, excerpt })
    }
    if (found.length >= maxFoundInOne) break
  }
  return found
}

/** Thousands are looked through once: past the API where that can be, and none is kept. */
async function eventsOf({ running, histories }: ApiContext, arn: string): Promise<readonly GraphEvent[]> {
  try {
    return running.services.stepFunctions.history(arn)
  } catch {
    return (await histories.read(arn)) as readonly GraphEvent[]
  }
}

function excerptOf(payload: unknown, texts: readonly string[]): string | undefined {
  if (typeof payload !== 'string') return undefined
  for (const text of texts) {
    const at = payload.indexOf(text)
    if (at !== -1)
      return payload.slice(Math.max(0, at - excerptCharacters), at + text.length + excerptCharacters)
  }
  return undefined
}
