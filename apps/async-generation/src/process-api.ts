import { DataValidationError } from '@stepwright/errors'
import type { Task } from '@stepwright/task'
import { type HttpRequest, mergeFields, type ResponseFacts } from '@stepwright/task/http'

// The edge of the design's API: it says `processId` where everything else says `jobId`.

/** A value as the API shows it: a job, a page of jobs, or a stream of events. */
type Process<T> = T extends { readonly jobId: string }
  ? Omit<T, 'jobId'> & { readonly processId: string }
  : T extends { readonly jobs: readonly (infer Each)[] }
    ? Omit<T, 'jobs'> & { readonly jobs: readonly Process<Each>[] }
    : T

/** A handler of jobs, whose input and output have `processId`. */
export function withProcessId<Input, Output, Ports>(
  task: Task<Input, Output, Ports>,
): Task<Input, Process<Output>, Ports> {
  return {
    ...task,
    async run(input, ...call) {
      const { processId, ...rest } = input as { readonly processId?: string }
      const asked = processId === undefined ? rest : { ...rest, jobId: processId }
      return toProcess(await task.run(asked as Input, ...call))
    },
  }
}

function toProcess<T>(output: T): Process<T>
function toProcess(output: unknown): unknown {
  if (typeof output !== 'object' || output === null) return output
  if (Symbol.asyncIterator in output) return eventsOf(output as AsyncIterable<{ readonly data: unknown }>)
  const { jobId, jobs, ...rest } = output as { readonly jobId?: string; readonly jobs?: readonly unknown[] }
  if (jobs !== undefined) return { ...rest, jobs: jobs.map(each => toProcess(each)) }
  return { processId: jobId, ...rest }
}

async function* eventsOf(events: AsyncIterable<{ readonly data: unknown }>): AsyncIterable<object> {
  for await (const { data, ...event } of events) yield { ...event, data: toProcess(data) }
}

/** The priority is the token's word: whoever asks cannot choose it. */
export function startInput(request: HttpRequest): object {
  const { body, claims, headers } = request
  const key = headers['idempotency-key']
  if (typeof body === 'object' && body !== null && 'priority' in body) {
    throw new DataValidationError('priority: comes from the claim `priority` of the token, not from the body')
  }
  return {
    ...(mergeFields(request) as object),
    priority: Number(claims['priority'] ?? 0),
    ...(key !== undefined && { idempotencyKey: key }),
  }
}

/** A browser that lost its connection says which event it saw last. */
export function followInput({ pathParameters, headers }: HttpRequest): object {
  return { ...pathParameters, lastEventId: headers['last-event-id'] }
}

/** Where a process can be watched; 200 if it has its result already. */
export function accepted({ processId, status }: Record<'processId' | 'status', string>): ResponseFacts {
  return {
    status: status === 'COMPLETED' ? 200 : 202,
    headers: { location: `/api/ai/async/status/${processId}` },
  }
}

/** What a poller sees of a process that has changed since; else 304. */
export function unlessKnown(view: object, { headers }: HttpRequest): ResponseFacts {
  const { updatedAt, status, progress, position } = view as Readonly<Record<string, unknown>>
  const etag = `W/"${updatedAt}.${status}.${progress}.${position}"`
  const isKnown = headers['if-none-match'] === etag
  return { headers: { etag, 'cache-control': 'no-cache' }, ...(isKnown && { status: 304, body: '' }) }
}
