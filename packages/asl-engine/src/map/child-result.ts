import type { Json } from '../json.ts'

/** What became of a child execution. */
export interface ChildResult {
  readonly executionArn: string
  readonly name: string
  readonly stateMachineArn: string
  readonly input: Json
  readonly output?: Json
  readonly error?: string | undefined
  readonly cause?: string | undefined
  readonly timedOut?: boolean
  readonly startMs: number
  readonly stopMs: number
}

/** Receives the children's results as they come. */
export interface ResultSink {
  readonly add: (result: ChildResult, index: number) => Promise<void>
  /** The Map's result. */
  readonly finish: () => Promise<Json>
}

/** Whole executions, what they returned, or that with lists made one. */
export type Transformation = 'NONE' | 'COMPACT' | 'FLATTEN'

/** A child's result as it is written or returned: none, one or many values. */
export function shapeResult(result: ChildResult, transformation: Transformation): readonly Json[] {
  const { output } = result
  if (transformation === 'NONE' || output === undefined) return [wholeExecution(result)]
  return transformation === 'FLATTEN' && Array.isArray(output) ? output : [output]
}

function wholeExecution(result: ChildResult): Json {
  const isDone = result.output !== undefined
  return {
    ExecutionArn: result.executionArn,
    Input: JSON.stringify(result.input),
    InputDetails: { Included: true },
    Name: result.name,
    ...(isDone
      ? { Output: JSON.stringify(result.output), OutputDetails: { Included: true } }
      : {
          ...(result.error === undefined ? {} : { Error: result.error }),
          ...(result.cause === undefined ? {} : { Cause: result.cause }),
        }),
    RedriveCount: 0,
    RedriveStatus: 'NOT_REDRIVABLE',
    RedriveStatusReason: isDone ? 'Execution is SUCCEEDED and cannot be redriven' : 'Redrive the parent',
    StartDate: new Date(result.startMs).toISOString(),
    StateMachineArn: result.stateMachineArn,
    Status: isDone ? 'SUCCEEDED' : result.timedOut === true ? 'TIMED_OUT' : 'FAILED',
    StopDate: new Date(result.stopMs).toISOString(),
  }
}
