import type { Json } from '@stepwright/asl'
import {
  createEngine,
  createMemoryObjects,
  createTaskTokens,
  createVirtualClock,
  type HistoryEvent,
  type InvokeFunction,
  TaskFailure,
} from '../../src/index.ts'
import type { Case, Comparison, Outcome } from './corpus.ts'
import { createPlayback } from './playback.ts'

export interface Ran {
  readonly outcome: Outcome
  readonly history: readonly HistoryEvent[]
}

export const account = '111111111111'

/** The names that the recording gave its resources are part of its environment, not of its answer. */
export function nameLike(recorded: Case, replacement: RegExp, fallback: string): string {
  return recorded.aliases?.findLast(([, name]) => replacement.test(name))?.[0] ?? fallback
}

export function roleOf(recorded: Case): string {
  const started = recorded.expected.events?.[0]?.['executionStartedEventDetails'] as
    | { roleArn?: string }
    | undefined
  return started?.roleArn ?? 'snf_role_arn'
}

export function stubbedFunctions(recorded: Case, comparison: Comparison): InvokeFunction {
  return async (arn, payload, context) => {
    const stub = recorded.lambdas?.[arn] ?? recorded.lambdas?.[arn.replace(/:\$LATEST$/, '')]
    if (stub === undefined) {
      throw new TaskFailure('Lambda.ResourceNotFoundException', `Function not found: ${arn}`)
    }
    try {
      return await comparison.runStub(stub, payload, seconds => context.sleep(seconds * 1000))
    } catch (error) {
      const { errorType, errorMessage } = error as { errorType?: string; errorMessage?: string }
      if (errorType === undefined) throw error
      throw new TaskFailure(
        errorType,
        JSON.stringify({ errorMessage, errorType, requestId: '<uuid:1>', stackTrace: [] }),
      )
    }
  }
}

const realDeadlineMs = 5000

export async function runExecution(recorded: Case, comparison: Comparison): Promise<Ran> {
  const taskTokens = createTaskTokens()
  const clock = createVirtualClock(Date.parse(recorded.capturedAt ?? '2024-01-01T00:00:00Z'))
  const playback = createPlayback(recorded, taskTokens, clock)
  let uuids = 0
  const engine = createEngine({
    definition: recorded.definition,
    clock,
    invoke: stubbedFunctions(recorded, comparison),
    services: playback.services,
    activities: playback.activities,
    objects: createMemoryObjects(recorded.s3 ?? []),
    taskTokens,
    type: recorded.type ?? 'STANDARD',
    name: nameLike(recorded, /^<ArnPart_/, 'statemachine'),
    account: account,
    roleArn: roleOf(recorded),
    random: () => 0.5,
    uuid: () => {
      uuids += 1
      return `00000000-0000-4000-8000-${String(uuids).padStart(12, '9')}`
    },
  })
  const execution = engine.run(recorded.input as Json, { name: nameLike(recorded, /Exec/, 'execution') })
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the execution did not end')), realDeadlineMs)
  })
  try {
    const outcome = await Promise.race([execution.result, deadline])
    return { outcome, history: execution.history() }
  } finally {
    clearTimeout(timer)
  }
}
