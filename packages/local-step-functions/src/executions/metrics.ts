/** The metrics that CloudWatch shows of a state machine. */
export interface StateMachineMetrics extends MapRunMetrics {
  /** Milliseconds, one for each execution that ended. */
  readonly ExecutionTime: readonly number[]
  readonly ExecutionThrottled: number
  readonly ExecutionsAborted: number
  readonly ExecutionsFailed: number
  readonly ExecutionsStarted: number
  readonly ExecutionsSucceeded: number
  readonly ExecutionsTimedOut: number
}

/** The metrics of Map runs, which are those of the whole account. */
export interface MapRunMetrics {
  readonly ApproximateOpenMapRunCount: number
  /** Runs that wait for others to end: none here. */
  readonly ApproximateMapRunBacklogSize: number
  readonly OpenMapRunLimit: number
}

/** AWS's quota; more run here all the same. */
const openMapRunLimit = 1000

type Counted = Exclude<keyof StateMachineMetrics, keyof MapRunMetrics | 'ExecutionTime'>

export interface Metrics {
  readonly count: (stateMachineArn: string, metric: Counted) => void
  readonly ended: (stateMachineArn: string, status: string, elapsedMs: number) => void
  readonly of: (stateMachineArn: string) => StateMachineMetrics
}

const endings: Readonly<Record<string, Counted>> = {
  SUCCEEDED: 'ExecutionsSucceeded',
  FAILED: 'ExecutionsFailed',
  TIMED_OUT: 'ExecutionsTimedOut',
  ABORTED: 'ExecutionsAborted',
}

/** So many times are kept of each state machine, the latest. */
const maxTimes = 1000

export function createMetrics(openMapRuns: () => number): Metrics {
  const byMachine = new Map<string, Record<Counted, number> & { ExecutionTime: number[] }>()
  const of = (stateMachineArn: string): Record<Counted, number> & { ExecutionTime: number[] } => {
    const known = byMachine.get(stateMachineArn)
    if (known !== undefined) return known
    const fresh = {
      ExecutionTime: [],
      ExecutionThrottled: 0,
      ExecutionsAborted: 0,
      ExecutionsFailed: 0,
      ExecutionsStarted: 0,
      ExecutionsSucceeded: 0,
      ExecutionsTimedOut: 0,
    }
    byMachine.set(stateMachineArn, fresh)
    return fresh
  }
  return {
    count: (stateMachineArn, metric) => {
      of(stateMachineArn)[metric] += 1
    },
    ended: (stateMachineArn, status, elapsedMs) => {
      const metrics = of(stateMachineArn)
      const metric = endings[status]
      if (metric !== undefined) metrics[metric] += 1
      metrics.ExecutionTime.push(elapsedMs)
      if (metrics.ExecutionTime.length > maxTimes) metrics.ExecutionTime.shift()
    },
    of: stateMachineArn => ({
      ...structuredClone(of(stateMachineArn)),
      ApproximateOpenMapRunCount: openMapRuns(),
      ApproximateMapRunBacklogSize: 0,
      OpenMapRunLimit: openMapRunLimit,
    }),
  }
}
