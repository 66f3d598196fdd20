import { isObject, type Json } from '../json.ts'

/** One call of a state's task, and how it ended; it was under way if it has neither output nor error. */
export interface RecordedCall {
  readonly state: string
  readonly input: Json
  /** How long it took. @default 0 */
  readonly seconds?: number
  /** How often its worker had to send a heartbeat, if it had to. */
  readonly heartbeatSeconds?: number
  /** What a service answered at once, before the result came through a task token or from the job. */
  readonly submitted?: Json
  readonly output?: Json
  /** `null` if it failed without a name. */
  readonly error?: string | null | undefined
  readonly cause?: string
}

/** One run of a Distributed Map. Of its children the history says nothing: the state's output is all that is known. */
export interface RecordedMapRun extends Omit<RecordedCall, 'submitted'> {
  /** The variables that the state assigned. */
  readonly assigned?: Readonly<Record<string, Json>>
}

/** What a history tells of an execution. */
export interface RecordedExecution {
  readonly input: Json
  /** When it was started; absent if the history does not say. */
  readonly startTime?: string
  readonly roleArn?: string
  /** The states in the order in which they were entered. */
  readonly path: readonly string[]
  /** What each of them was given. */
  readonly inputs: readonly Json[]
  readonly calls: readonly RecordedCall[]
  readonly mapRuns: readonly RecordedMapRun[]
  readonly status: 'SUCCEEDED' | 'FAILED' | 'TIMED_OUT' | 'ABORTED' | 'RUNNING'
  readonly output?: Json
  readonly error?: string
}

/** An event of GetExecutionHistory, of the CLI, the SDK or the console's export. */
interface Event {
  readonly id?: number
  readonly previousEventId?: number
  readonly timestamp?: unknown
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
const callEnd =
  /^(LambdaFunction|Task|Activity)(Succeeded|Failed|TimedOut|ScheduleFailed|StartFailed|SubmitFailed)$/
const mapRunEnd = /^MapRun(Succeeded|Failed|Aborted)$/

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
  const entered = events.filter(isEntered)
  // of a redriven execution the last one counts, unless it goes on
  const last = events.findLast(
    ({ type = '' }) => Object.hasOwn(endings, type) || type === 'ExecutionRedriven',
  )
  const ending = last?.type === 'ExecutionRedriven' ? undefined : last
  const end = ending && detailsOf(ending)
  const startMs = timeOf(started)
  const { input, roleArn } = detailsOf(started)
  return {
    input: parse(input),
    ...(typeof roleArn === 'string' && { roleArn }),
    ...(startMs !== undefined && { startTime: new Date(startMs).toISOString() }),
    path: entered.map(event => String(detailsOf(event)['name'])),
    inputs: entered.map(event => parse(detailsOf(event)['input'])),
    ...readCalls(events),
    status: ending ? endings[ending.type as keyof typeof endings] : 'RUNNING',
    ...(end?.['output'] !== undefined && { output: parse(end['output']) }),
    ...(end?.['error'] !== undefined && { error: String(end['error']) }),
  }
}

/** Goes back through the events that led to each ending, to the call that it ended and to the state that made it. */
function readCalls(events: readonly Event[]): Pick<RecordedExecution, 'calls' | 'mapRuns'> {
  const byId = new Map(events.map(event => [event.id, event]))
  const before = function* (event: Event): Generator<Event> {
    for (let at = byId.get(event.previousEventId); at; at = byId.get(at.previousEventId)) yield at
  }
  const find = (event: Event, isIt: (candidate: Event) => boolean): Event | undefined => {
    for (const candidate of before(event)) if (isIt(candidate)) return candidate
    return undefined
  }
  const ends = new Map<Event | undefined, Event>()
  const submissions = new Map<Event | undefined, Event>()
  const exits = new Map<Event | undefined, Event>()
  for (const event of events) {
    const { type = '' } = event
    const isOf = (start: RegExp): Event | undefined => find(event, other => start.test(other.type ?? ''))
    if (callEnd.test(type)) ends.set(isOf(callStart), event)
    else if (mapRunEnd.test(type)) ends.set(isOf(/^MapRunStarted$/), event)
    else if (type === 'TaskSubmitted') submissions.set(isOf(callStart), event)
    else if (type === 'MapStateExited') {
      const { name } = detailsOf(event)
      exits.set(
        find(event, other => isEntered(other) && detailsOf(other)['name'] === name),
        event,
      )
    }
  }
  const stateOf = (event: Event): string | undefined => {
    const isStart = callStart.test(event.type ?? '') || event.type === 'MapRunStarted'
    const state = isStart ? find(event, isEntered) : undefined
    return state && String(detailsOf(state)['name'])
  }
  const read = (start: Event): RecordedCall | undefined => {
    const state = find(start, isEntered)
    if (state === undefined) return undefined
    const end = ends.get(start)
    const submission = submissions.get(start)
    const given = detailsOf(start)
    const enteredWith = detailsOf(state)
    return {
      state: String(enteredWith['name']),
      input: parse(given['input'] ?? given['parameters'] ?? enteredWith['input']),
      ...secondsBetween(start, end),
      ...(typeof given['heartbeatInSeconds'] === 'number' && {
        heartbeatSeconds: given['heartbeatInSeconds'],
      }),
      ...(submission && { submitted: parse(detailsOf(submission)['output']) }),
      ...(end && readEnd(end)),
    }
  }
  let calls: RecordedCall[] = []
  let mapRuns: RecordedMapRun[] = []
  for (const [index, event] of events.entries()) {
    if (event.type === 'ExecutionRedriven') {
      // What failed is done again, and a run that goes as the whole did never sees it fail.
      const again = new Set(events.slice(index).flatMap(later => stateOf(later) ?? []))
      calls = calls.filter(call => call.error === undefined || !again.has(call.state))
      mapRuns = mapRuns.filter(run => run.output !== undefined || !again.has(run.state))
    }
    if (callStart.test(event.type ?? '')) calls.push(...[read(event) ?? []].flat())
    if (event.type !== 'MapRunStarted') continue
    const run = read(event)
    const exit = exits.get(find(event, isEntered))
    if (run === undefined) continue
    const { output: _none, ...known } = run
    mapRuns.push(known.error === undefined && exit !== undefined ? { ...known, ...readExit(exit) } : known)
  }
  return { calls, mapRuns }
}

function readEnd(end: Event): Partial<RecordedCall> {
  const { output, error, cause } = detailsOf(end)
  if (end.type?.endsWith('Succeeded')) return output === undefined ? {} : { output: parse(output) }
  return {
    error: error === undefined ? (end.type?.endsWith('TimedOut') ? 'States.Timeout' : null) : String(error),
    ...(cause !== undefined && { cause: String(cause) }),
  }
}

function readExit(exit: Event): Partial<RecordedMapRun> {
  const { output, assignedVariables } = detailsOf(exit)
  const assigned = isObject(assignedVariables as Json)
    ? Object.entries(assignedVariables as Readonly<Record<string, unknown>>).map(
        ([name, value]) => [name, parse(value)] as const,
      )
    : []
  return {
    output: parse(output),
    ...(assigned.length > 0 && { assigned: Object.fromEntries(assigned) }),
  }
}

function isEntered({ type }: Event): boolean {
  return type?.endsWith('StateEntered') ?? false
}

/** The CLI prints times as text, the SDK makes dates of them, and older exports hold seconds. */
function timeOf({ timestamp }: Event): number | undefined {
  const isSeconds = typeof timestamp === 'number' && timestamp < 1e11
  const time = new Date(isSeconds ? timestamp * 1000 : (timestamp as string | number | Date)).getTime()
  return Number.isNaN(time) ? undefined : time
}

function secondsBetween(start: Event, end: Event | undefined): { readonly seconds?: number } {
  const [from, to] = [timeOf(start), end && timeOf(end)]
  return from === undefined || to === undefined || to <= from ? {} : { seconds: (to - from) / 1000 }
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
