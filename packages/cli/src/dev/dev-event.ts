import { parseCause } from '@stepwright/errors'
import type {
  AnsweredRequest,
  FunctionCall,
  Mail,
  StartAppOptions,
  TaskTrouble,
} from '@stepwright/local-cloud'

type StatusChange = Parameters<NonNullable<StartAppOptions['onStatusChange']>>[0]

/** Something that happened in an app that runs. */
export interface DevEvent {
  readonly kind: 'execution' | 'request' | 'mail' | 'log' | 'reload' | 'problem'
  /** Whose it is: a workflow, a route, a task, a file. */
  readonly name: string
  /** What happened, in a line. */
  readonly text: string
  readonly mood: 'plain' | 'good' | 'warning' | 'bad'
  /** The same for machines. */
  readonly facts: Readonly<Record<string, unknown>>
}

/** An execution was started, or has ended. */
export function executionEvent(
  { detail }: StatusChange,
  workflowOf: (stateMachineArn: string) => string,
): DevEvent {
  const { executionArn, stateMachineArn, name, status, startDate, stopDate, error, cause } = detail
  const workflow = workflowOf(stateMachineArn)
  const tookMs = stopDate === null ? undefined : stopDate - startDate
  const failure = error === null ? undefined : describeFailure(error, cause)
  const took = tookMs === undefined ? '' : ` in ${describeTime(tookMs)}`
  const verb = status === 'RUNNING' ? 'started' : status.toLowerCase().replace('_', ' ')
  return {
    kind: 'execution',
    name: workflow,
    text: `${verb} ${name}${took}${failure === undefined ? '' : `  ${failure}`}`,
    mood: status === 'RUNNING' ? 'plain' : status === 'SUCCEEDED' ? 'good' : 'bad',
    facts: {
      workflow,
      executionArn,
      status,
      ...(tookMs !== undefined && { tookMs }),
      ...(error !== null && { error, cause }),
    },
  }
}

function describeFailure(error: string, cause: string | null): string {
  const { name, message } = parseCause({ Error: error, ...(cause !== null && { Cause: cause }) })
  return message === '' ? `${name}` : `${name}: ${message}`
}

/** The gateway has answered. */
export function requestEvent(request: AnsweredRequest): DevEvent {
  const { method, path, status, startMs, endMs } = request
  const tookMs = endMs - startMs
  return {
    kind: 'request',
    name: `${method} ${path}`,
    text: `${status} in ${describeTime(tookMs)}`,
    mood: status >= 500 ? 'bad' : status >= 400 ? 'warning' : 'plain',
    facts: { method, path, status, tookMs },
  }
}

/** Somebody would have got a mail. */
export function mailEvent({ messageId, from, to, subject }: Mail): DevEvent {
  return {
    kind: 'mail',
    name: to.join(', '),
    text: subject,
    mood: 'plain',
    facts: { messageId, from, to, subject },
  }
}

/** A function died, or could not be loaded: it had no chance to say so itself. */
export function callEvent({ functionName, requestId, error }: FunctionCall): DevEvent | undefined {
  if (error === undefined || !/^(Runtime|Sandbox)\./.test(error.name)) return undefined
  return {
    kind: 'problem',
    name: functionName,
    text: `${error.name}: ${error.message}`,
    mood: 'bad',
    facts: { functionName, requestId, error },
  }
}

/** A task has failed: in one line, with all that was said of it and where it began. */
export function troubleEvent(trouble: TaskTrouble): DevEvent {
  const { task, errors, frames } = trouble
  const said = errors
    .filter(({ message }, index) => index === 0 || !errors[index - 1]?.message.includes(message))
    .map(({ name, message }) => `${name}: ${message}`)
  const details = errors.flatMap(each => (each.details === undefined ? [] : [JSON.stringify(each.details)]))
  return {
    kind: 'problem',
    name: task,
    text: [said.join(', because of '), ...details, ...frames.slice(0, 1)].join('  '),
    mood: 'bad',
    facts: { ...trouble },
  }
}

/** Whether a line of a function's log tells of a failure, which `troubleEvent` tells better. */
export function isFailureLine(line: string): boolean {
  const entry = parseEntry(line)
  return entry?.error?.name !== undefined && entry.message === `${entry.service} failed`
}

const moods: Readonly<Record<string, DevEvent['mood']>> = {
  WARN: 'warning',
  ERROR: 'bad',
  CRITICAL: 'bad',
}

/** A function has printed a line: of Powertools' logger, or any other. */
export function logEvent(line: string): DevEvent {
  const entry = parseEntry(line)
  if (entry === undefined) {
    return { kind: 'log', name: '', text: line, mood: 'plain', facts: { line } }
  }
  const { level = 'INFO', message = '', service = '', error } = entry
  const failure = error?.name === undefined ? '' : `  ${error.name}: ${error.message ?? ''}`
  return {
    kind: 'log',
    name: service,
    text: `${level} ${message}${failure}`,
    mood: moods[level] ?? 'plain',
    facts: { entry },
  }
}

interface LogEntry {
  readonly level?: string
  readonly message?: string
  readonly service?: string
  readonly error?: { readonly name?: string; readonly message?: string }
}

function parseEntry(line: string): LogEntry | undefined {
  if (!line.startsWith('{')) return undefined
  try {
    const entry = JSON.parse(line)
    return typeof entry.level === 'string' ? entry : undefined
  } catch {
    return undefined
  }
}

/** A file has changed, and what depends on it was loaded anew. */
export function reloadEvent(file: string): DevEvent {
  return { kind: 'reload', name: file, text: 'loaded anew', mood: 'good', facts: { file } }
}

/** Something stands in the way of what the user wants. */
export function problemEvent(name: string, text: string, facts: DevEvent['facts'] = {}): DevEvent {
  return { kind: 'problem', name, text, mood: 'bad', facts: { name, text, ...facts } }
}

function describeTime(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`
}
