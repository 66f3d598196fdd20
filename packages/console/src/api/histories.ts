import { GetExecutionHistoryCommand, type HistoryEvent, type SFNClient } from '@aws-sdk/client-sfn'
import { detailsOf } from '@stepwright/asl-graph'
import type { LightEvent } from '../protocol.ts'

/** Histories of executions, read once and then only what is new. */
export interface Histories {
  read(executionArn: string): Promise<readonly HistoryEvent[]>
}

/** An execution has 25,000 at most. */
const maxKeptEvents = 60_000
/** As many as GetExecutionHistory gives. */
const pageSize = 1000

/** `readAtOnce` may know a quicker way to all events after the first ones; what it does not know, it throws for. */
export function createHistories(
  client: SFNClient,
  readAtOnce: (executionArn: string, after: number) => readonly HistoryEvent[],
): Histories {
  const kept = new Map<string, HistoryEvent[]>()
  const reading = new Map<string, Promise<readonly HistoryEvent[]>>()

  async function readAfter(
    executionArn: string,
    known: readonly HistoryEvent[],
  ): Promise<readonly HistoryEvent[]> {
    try {
      return readAtOnce(executionArn, known.length)
    } catch {
      return known.length === 0 ? readPages(executionArn) : readFresh(executionArn, known.at(-1)?.id ?? 0)
    }
  }

  async function readPages(executionArn: string): Promise<HistoryEvent[]> {
    const all: HistoryEvent[] = []
    for (let nextToken: string | undefined; ; ) {
      const page = await client.send(
        new GetExecutionHistoryCommand({
          executionArn,
          maxResults: pageSize,
          ...(nextToken && { nextToken }),
        }),
      )
      all.push(...(page.events ?? []))
      nextToken = page.nextToken
      if (nextToken === undefined) return all
    }
  }

  /** From the end backwards to what is known. */
  async function readFresh(executionArn: string, last: number): Promise<HistoryEvent[]> {
    const fresh: HistoryEvent[] = []
    for (let nextToken: string | undefined; ; ) {
      const page = await client.send(
        new GetExecutionHistoryCommand({
          executionArn,
          reverseOrder: true,
          maxResults: pageSize,
          ...(nextToken && { nextToken }),
        }),
      )
      const events = page.events ?? []
      fresh.push(...events.filter(({ id = 0 }) => id > last))
      nextToken = page.nextToken
      if (nextToken === undefined || (events.at(-1)?.id ?? 0) <= last) return fresh.reverse()
    }
  }

  /** All but the one that was just read, as far as they are too many together. */
  function forgetOldest(): void {
    let count = [...kept.values()].reduce((sum, { length }) => sum + length, 0)
    for (const [arn, { length }] of kept) {
      if (count <= maxKeptEvents || kept.size === 1) return
      kept.delete(arn)
      count -= length
    }
  }

  async function update(executionArn: string): Promise<readonly HistoryEvent[]> {
    const events = kept.get(executionArn) ?? []
    events.push(...(await readAfter(executionArn, events)))
    kept.delete(executionArn)
    kept.set(executionArn, events)
    forgetOldest()
    return events
  }

  return {
    read(executionArn) {
      const running = reading.get(executionArn)
      if (running) return running
      const started = update(executionArn).finally(() => reading.delete(executionArn))
      reading.set(executionArn, started)
      return started
    },
  }
}

const payloads = new Set([
  'input',
  'inputDetails',
  'output',
  'outputDetails',
  'parameters',
  'assignedVariables',
  'assignedVariablesDetails',
  'roleArn',
  'region',
  'resourceType',
])

/** The event without its payloads: a history of ten thousand is a few hundred kilobytes. */
export function toLightEvent(event: HistoryEvent): LightEvent {
  const details: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(detailsOf(event as object))) {
    if (!payloads.has(key) && value !== undefined) details[key] = value
  }
  return {
    id: event.id ?? 0,
    previousEventId: event.previousEventId ?? 0,
    timestamp: event.timestamp?.getTime() ?? 0,
    type: event.type ?? '',
    EventDetails: details,
  }
}
