import type { HistoryRecord } from '@stepwright/asl-engine'
import type { EndedExecution, ExecutionHeader, ExecutionStore, Retention } from './execution-store.ts'
import { parseLines } from './lines.ts'

/** Executions that last as long as the process, and of those that have ended only the latest. */
export function createMemoryExecutionStore({ executions = 10_000 }: Retention = {}): ExecutionStore {
  const lines = new Map<string, string>()
  const ended = new Map<string, EndedExecution>()
  const definitions = new Map<string, string>()
  return {
    append: (arn, text) => {
      lines.set(arn, (lines.get(arn) ?? '') + text)
    },
    end: (execution, text) => {
      const { arn } = execution
      lines.set(arn, (lines.get(arn) ?? '') + text)
      ended.delete(arn)
      ended.set(arn, execution)
      const [oldest] = ended.keys()
      if (ended.size <= executions || oldest === undefined) return
      ended.delete(oldest)
      lines.delete(oldest)
    },
    reopen: ({ arn }) => {
      ended.delete(arn)
    },
    read: arn => {
      const text = lines.get(arn)
      if (text === undefined) return undefined
      const [header, ...records] = parseLines(text) as [ExecutionHeader, ...HistoryRecord[]]
      return { header, records }
    },
    has: arn => lines.has(arn),
    running: () => [],
    ended: stateMachineArn => [...ended.values()].filter(other => other.stateMachineArn === stateMachineArn),
    keepDefinition: (definitionId, text) => {
      definitions.set(definitionId, text)
    },
    definition: definitionId => definitions.get(definitionId),
    close: () => undefined,
  }
}
