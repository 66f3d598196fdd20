import type { HistoryEvent } from '@aws-sdk/client-sfn'
import {
  addUsage,
  type BilledUsage,
  countTransitions,
  expressUsage,
  noUsage,
  priceOf,
} from '@stepwright/asl-engine'
import type { ExecutionCost } from '../protocol.ts'
import type { ApiContext } from './context.ts'

/** What AWS would bill for an execution so far, with the children of its Distributed Maps. */
export function costOf(
  { running, prices }: Pick<ApiContext, 'running' | 'prices'>,
  executionArn: string,
  events: readonly HistoryEvent[],
): ExecutionCost {
  const own = ownUsage(executionArn, events)
  const children = mapRunArnsOf(events)
    .map(running.services.stepFunctions.mapRunUsage)
    .reduce(addUsage, noUsage)
  return { own, children, dollars: priceOf(addUsage(own, children), prices) }
}

function ownUsage(executionArn: string, events: readonly HistoryEvent[]): BilledUsage {
  if (executionArn.split(':')[5] !== 'express') return { ...noUsage, transitions: countTransitions(events) }
  const [first, last] = [events[0]?.timestamp, events.at(-1)?.timestamp]
  return expressUsage((last?.getTime() ?? 0) - (first?.getTime() ?? 0))
}

export function mapRunArnsOf(events: readonly HistoryEvent[]): readonly string[] {
  return events.flatMap(({ mapRunStartedEventDetails: { mapRunArn } = {} }) => mapRunArn ?? [])
}
