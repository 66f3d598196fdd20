import { checkStart, executionArnOf } from './execution-request.ts'
import type { Execution, Executions } from './executions.ts'

/** Executions that only say that they run, until a test ends them. */
export interface MemoryExecutions extends Executions {
  /** In the order of their starts. */
  all(): readonly Execution[]
  end(executionArn: string, how: Pick<Execution, 'status' | 'output' | 'error' | 'cause'>): void
}

export interface MemoryExecutionsOptions {
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: () => number
}

export function createMemoryExecutions({ now = Date.now }: MemoryExecutionsOptions = {}): MemoryExecutions {
  const executions = new Map<string, Execution & { readonly json: string }>()
  const end: MemoryExecutions['end'] = (executionArn, how) => {
    const execution = executions.get(executionArn)
    if (execution?.status !== 'RUNNING') return
    executions.set(executionArn, { ...execution, ...how, stoppedAtMs: now() })
  }
  const toExecution = ({ json, ...execution }: Execution & { readonly json: string }): Execution => ({
    ...execution,
    input: JSON.parse(json),
  })

  return {
    async start(request) {
      const { stateMachineArn, name } = request
      const json = checkStart(request)
      const executionArn = executionArnOf(stateMachineArn, name)
      const taken = executions.get(executionArn)
      if (taken) return { executionArn, started: taken.status === 'RUNNING' && taken.json === json }
      executions.set(executionArn, { executionArn, name, status: 'RUNNING', startedAtMs: now(), json })
      return { executionArn, started: true }
    },
    async stop({ executionArn, error, cause }) {
      end(executionArn, {
        status: 'ABORTED',
        ...(error !== undefined && { error }),
        ...(cause !== undefined && { cause }),
      })
    },
    async describe(executionArn) {
      const execution = executions.get(executionArn)
      return execution && toExecution(execution)
    },
    all: () => [...executions.values()].map(toExecution),
    end,
  }
}
