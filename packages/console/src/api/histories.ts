import { GetExecutionHistoryCommand, type HistoryEvent, type SFNClient } from '@aws-sdk/client-sfn'
import { detailsOf } from '@stepwright/asl-graph'
import type { LightEvent } from '../protocol.ts'

/** Histories of executions, read once and then only what is new. */
export interface Histories {
  read(executionArn: string): Promise<readonly HistoryEvent[]>
}

/** An execution has 25,000 at most. */
const maxKeptEvents = 60_000
const fullPage = 1000
const freshPage = 200

/** `readWhole` may know a quicker way to a whole history; what it does not know, it throws for. */
export function createHistories(
  client: SFNClient,
  readWhole: (executionArn: string) => readonly HistoryEvent[],
): Histories {
  const kept = new Map<string, HistoryEvent[]>()
  const reading = new Map<string, Promise<readonly HistoryEvent[]>>()

  async function readAll(executionArn: string): Promise<HistoryEvent[]> {
    try {
      return [...readWhole(executionArn)]
    } catch {
      return readPages(executionArn)
    }
  }

  async function readPages(executionArn: string): Promise<HistoryEvent[]> {
    const all: HistoryEvent[] = []
    for (let nextToken: string | undefined; ; ) {
      const page = await client.send(
        new GetExecutionHistoryCommand({
          executionArn,
          maxResults: fullPage,
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
          maxResults: freshPage,
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
    const known = kept.get(executionArn)
    const events = known ?? (await readAll(executionArn))
    if (known) known.push(...(await readFresh(executionArn, known.at(-1)?.id ?? 0)))
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
