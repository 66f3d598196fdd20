import { isArray, type Json } from '../json.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import type { Child, Family } from './child.ts'

/** How a child execution ended. */
export interface ChildEnding {
  readonly output?: Json
  readonly error?: string | undefined
  readonly cause?: string | undefined
  readonly timedOut?: boolean
  /** Somebody stopped this child. */
  readonly aborted?: boolean
  readonly startMs: number
  readonly stopMs: number
}

/** Receives the children's results as they come. */
export interface ResultSink {
  /** Whether a ResultWriter writes what it is given. */
  readonly isWriter: boolean
  readonly add: (child: Child, ending: ChildEnding) => MaybePromise<void>
  /** The Map's result. */
  readonly finish: () => Promise<Json>
}

/** Whole executions, what they returned, or that with lists made one. */
export type Transformation = 'NONE' | 'COMPACT' | 'FLATTEN'

export function statusOf({
  output,
  timedOut,
  aborted,
}: ChildEnding): 'SUCCEEDED' | 'FAILED' | 'TIMED_OUT' | 'ABORTED' {
  if (output !== undefined) return 'SUCCEEDED'
  return timedOut ? 'TIMED_OUT' : aborted ? 'ABORTED' : 'FAILED'
}

/** A child's result as it is returned: none, one or many values. */
export function shapeResult(
  child: Child,
  ending: ChildEnding,
  transformation: Transformation,
): readonly Json[] {
  const { output } = ending
  if (transformation === 'NONE' || output === undefined)
    return [JSON.parse(executionText(child, ending)) as Json]
  return transformation === 'FLATTEN' && isArray(output) ? output : [output]
}

/** A child's result as it is written: the JSON text of each value. */
export function writeResult(
  child: Child,
  ending: ChildEnding,
  transformation: Transformation,
  write: (text: string) => void,
): void {
  const { output } = ending
  if (transformation === 'NONE' || output === undefined) write(executionText(child, ending))
  else if (transformation === 'FLATTEN' && isArray(output))
    for (const one of output) write(JSON.stringify(one))
  else write(JSON.stringify(output))
}

/** The whole execution. Its text is put together: an object that is only written costs twice as much. */
function executionText({ name, family, input }: Child, ending: ChildEnding): string {
  const { output, error, cause } = ending
  const outcome =
    output === undefined
      ? `${optional('Error', error)}${optional('Cause', cause)}`
      : `"Output":${quotedJson(output)},"OutputDetails":{"Included":true},`
  return `{"ExecutionArn":${family.quotedArnPrefix}${name}","Input":${quotedJson(input)},"InputDetails":{"Included":true},"Name":"${name}",${outcome}${closingText(family, ending)}`
}

function quotedJson(value: Json): string {
  return JSON.stringify(JSON.stringify(value))
}

function optional(key: string, value: string | undefined): string {
  return value === undefined ? '' : `"${key}":${JSON.stringify(value)},`
}

let lastClosing: { family: Family; status: string; startMs: number; stopMs: number; text: string } | undefined

/** The rest of an execution's text, from `RedriveCount` on. Many children begin and end in the same millisecond. */
function closingText(family: Family, ending: ChildEnding): string {
  const { startMs, stopMs } = ending
  const status = statusOf(ending)
  const last = lastClosing
  if (last?.family === family && last.status === status && last.startMs === startMs && last.stopMs === stopMs)
    return last.text
  const closing = JSON.stringify({
    RedriveCount: 0,
    RedriveStatus: 'NOT_REDRIVABLE',
    RedriveStatusReason:
      status === 'SUCCEEDED' ? 'Execution is SUCCEEDED and cannot be redriven' : 'Redrive the parent',
    StartDate: new Date(startMs).toISOString(),
    StateMachineArn: family.stateMachineArn,
    Status: status,
    StopDate: new Date(stopMs).toISOString(),
  })
  lastClosing = { family, status, startMs, stopMs, text: closing.slice(1) }
  return lastClosing.text
}
