import type { Json } from '@stepwright/asl'
import {
  type ActivityPort,
  type CallService,
  type Clock,
  type ServiceCall,
  StateFailure,
  TaskFailure,
  type TaskTokens,
} from '../../src/index.ts'
import type { Case, RecordedEvent } from './corpus.ts'

type Details = Readonly<Record<string, Json>>

interface RecordedCall {
  readonly service: string
  readonly resource: string
  readonly submitted: Json | undefined
  readonly ending: { readonly type: string; readonly details: Details } | undefined
  readonly started: { readonly workerName: string | undefined } | undefined
}

function detailsOf(event: RecordedEvent): Details {
  return (Object.entries(event).find(([key]) => key.endsWith('EventDetails'))?.[1] ?? {}) as Details
}

const endings = /^(Task|Activity)(Succeeded|Failed|TimedOut)$/

/**
 * The world outside the interpreter, as it was recorded: what services answered, what callbacks said, which worker
 * came. The interpreter has to make of it what Step Functions made of it.
 */
function recordedCalls(events: readonly RecordedEvent[]): RecordedCall[] {
  const calls: RecordedCall[] = []
  for (const [position, event] of events.entries()) {
    if (event.type !== 'TaskScheduled' && event.type !== 'ActivityScheduled') continue
    const details = detailsOf(event)
    const kind = event.type === 'TaskScheduled' ? 'Task' : 'Activity'
    const later = events.slice(position + 1).filter(other => other.type.startsWith(kind))
    const nextCall = later.findIndex(other => other.type === event.type)
    const own = later.slice(0, nextCall < 0 ? later.length : nextCall)
    const ending = own.find(other => endings.test(other.type))
    const submission = own.find(other => other.type === 'TaskSubmitted')
    const started = own.find(other => other.type === 'ActivityStarted')
    calls.push({
      service: String(details['resourceType'] ?? 'activity'),
      resource: String(details['resource']),
      submitted: submission === undefined ? undefined : detailsOf(submission)['output'],
      ending: ending === undefined ? undefined : { type: ending.type, details: detailsOf(ending) },
      started:
        started === undefined
          ? undefined
          : { workerName: detailsOf(started)['workerName'] as string | undefined },
    })
  }
  return calls
}

function asText(value: Json | undefined): string | undefined {
  return value === undefined ? undefined : typeof value === 'string' ? value : JSON.stringify(value)
}

export interface Playback {
  readonly services: CallService
  readonly activities: ActivityPort
}

export function createPlayback(recorded: Case, taskTokens: TaskTokens, clock: Clock): Playback {
  const soon = (act: () => void): void => {
    const release = clock.hold()
    setImmediate(() => {
      act()
      release()
    })
  }
  const calls = recordedCalls(recorded.expected.events ?? [])
  const take = (matches: (call: RecordedCall) => boolean): RecordedCall | undefined => {
    const index = calls.findIndex(matches)
    return index < 0 ? undefined : calls.splice(index, 1)[0]
  }
  const finishByToken = (token: string, call: RecordedCall): void => {
    const { ending } = call
    const details = ending?.details ?? {}
    if (ending?.type.endsWith('Succeeded')) taskTokens.get(token)?.succeed(details['output'] ?? null)
    if (ending?.type.endsWith('Failed')) {
      taskTokens.get(token)?.fail(new StateFailure(asText(details['error']), asText(details['cause'])))
    }
  }
  const services: CallService = async (call: ServiceCall) => {
    const suffix = call.pattern === 'request' ? '' : `.${call.pattern}`
    const found = take(other => other.service === call.service && other.resource === call.action + suffix)
    if (found === undefined)
      throw new TaskFailure('Unrecorded', `${call.service}:${call.action} was not recorded`)
    const details = found.ending?.details ?? {}
    if (call.pattern === 'waitForTaskToken' && found.submitted !== undefined) {
      soon(() => finishByToken(call.taskToken, found))
      return found.submitted
    }
    if (found.submitted !== undefined) call.submitted(found.submitted)
    if (found.ending?.type.endsWith('Succeeded')) return details['output'] ?? null
    if (found.ending?.type.endsWith('Failed')) {
      throw new StateFailure(asText(details['error']), asText(details['cause']))
    }
    return call.sleep(Number.POSITIVE_INFINITY)
  }
  return {
    services,
    activities: {
      exists: arn => calls.some(call => call.service === 'activity') && arn !== '',
      schedule: ({ taskToken }) => {
        const found = take(call => call.service === 'activity')
        if (found === undefined) return
        soon(() => {
          if (found.started !== undefined) taskTokens.get(taskToken)?.start(found.started.workerName)
          finishByToken(taskToken, found)
        })
      },
    },
  }
}
