import type { Json } from '../json.ts'

/** One call of a state's task, and how it ended. */
export interface RecordedCall {
  readonly state: string
  readonly input: Json
  readonly output?: Json
  readonly error?: string
  readonly cause?: string
}

/** What a history tells of an execution. */
export interface RecordedExecution {
  readonly input: Json
  /** The states in the order in which they were entered. */
  readonly path: readonly string[]
  /** What each of them was given. */
  readonly inputs: readonly Json[]
  readonly calls: readonly RecordedCall[]
  readonly status: 'SUCCEEDED' | 'FAILED' | 'TIMED_OUT' | 'ABORTED' | 'RUNNING'
  readonly output?: Json
  readonly error?: string
}

/** An event of GetExecutionHistory, of the CLI, the SDK or the console's export. */
interface Event {
  readonly id?: number
  readonly previousEventId?: number
  readonly type?: string
  readonly [details: string]: unknown
}

type Details = Readonly<Record<string, unknown>>

const endings = {
  ExecutionSucceeded: 'SUCCEEDED',
  ExecutionFailed: 'FAILED',
  ExecutionTimedOut: 'TIMED_OUT',
  ExecutionAborted: 'ABORTED',
} as const
const callStart = /^(LambdaFunction|Task|Activity)Scheduled$/
const callEnd = /^(LambdaFunction|Task|Activity)(Succeeded|Failed|TimedOut)$/

/**
 * Reads a history: the answer of GetExecutionHistory, or its list of events.
 * @throws TypeError if it is none, or holds no data because logging without it was asked for
 */
export function readHistory(history: unknown): RecordedExecution {
  const events = (Array.isArray(history) ? history : Object(history).events) as readonly Event[] | undefined
  const started = events?.find(({ type }) => type === 'ExecutionStarted')
  if (events === undefined || started === undefined) {
    throw new TypeError('this is not the history of an execution: it has no event ExecutionStarted')
  }
  const byId = new Map(events.map(event => [event.id, event]))
  const entered = events.filter(({ type }) => type?.endsWith('StateEntered'))
  const ending = events.find(({ type = '' }) => Object.hasOwn(endings, type))
  const end = ending && detailsOf(ending)
  return {
    input: parse(detailsOf(started)['input']),
    path: entered.map(event => String(detailsOf(event)['name'])),
    inputs: entered.map(event => parse(detailsOf(event)['input'])),
    calls: events.flatMap(event => (callEnd.test(event.type ?? '') ? toCall(event, byId) : [])),
    status: ending ? endings[ending.type as keyof typeof endings] : 'RUNNING',
    ...(end?.['output'] !== undefined && { output: parse(end['output']) }),
    ...(end?.['error'] !== undefined && { error: String(end['error']) }),
  }
}

function toCall(end: Event, byId: ReadonlyMap<number | undefined, Event>): readonly RecordedCall[] {
  let scheduled: Event | undefined
  for (let event = byId.get(end.previousEventId); event; event = byId.get(event.previousEventId)) {
    if (callStart.test(event.type ?? '')) scheduled ??= event
    if (!event.type?.endsWith('StateEntered')) continue
    const given = scheduled && detailsOf(scheduled)
    const { output, error, cause } = detailsOf(end)
    return [
      {
        state: String(detailsOf(event)['name']),
        input: parse(given?.['input'] ?? given?.['parameters']),
        ...(end.type?.endsWith('Succeeded')
          ? { output: parse(output) }
          : {
              error: String(error ?? 'States.Timeout'),
              ...(cause !== undefined && { cause: String(cause) }),
            }),
      },
    ]
  }
  return []
}

function detailsOf(event: Event): Details {
  const key = Object.keys(event).find(name => name.endsWith('EventDetails'))
  return key === undefined ? {} : (event[key] as Details)
}

function parse(text: unknown): Json {
  if (typeof text !== 'string') {
    throw new TypeError('the history holds no data: ask for it with --include-execution-data')
  }
  return JSON.parse(text) as Json
}
