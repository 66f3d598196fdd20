import type { StateMachine } from '@stepwright/asl'
import { createEngine, createVirtualClock, type HistoryEvent, TaskFailure } from '../../src/index.ts'

import type { Random } from './random.ts'
import { randomAnswer, randomInput } from './random-data.ts'

/** One passage through a state. */
export interface Passage {
  readonly state: string
  /** The state from which it was entered; `undefined` for the first of its machine, branch or item processor. */
  readonly from: string | undefined
  readonly end: 'left' | 'caught' | 'failed'
  /** The number of the execution. */
  readonly run: number
}

export interface Driven {
  readonly passages: readonly Passage[]
  /** Why each execution failed that did. */
  readonly failures: readonly string[]
}

/** Runs a machine so often, with inputs and answers that fit their schemas. */
export async function drive(definition: StateMachine, random: Random, runs: number): Promise<Driven> {
  const passages: Passage[] = []
  const failures: string[] = []
  for (let run = 0; run < runs; run += 1) {
    const engine = createEngine({
      definition,
      clock: createVirtualClock(),
      invoke: arn => {
        const answer = randomAnswer(arn.split(':')[6] ?? '', random)
        if (answer === undefined) throw new TaskFailure('SendError', 'not sent')
        return answer
      },
    })
    const running = engine.run(randomInput(random))
    const result = await running.result
    passages.push(...passagesOf(running.history(), run))
    if (result.status !== 'SUCCEEDED') failures.push(`${result.error}: ${result.cause}`)
  }
  return { passages, failures }
}

function passagesOf(history: readonly HistoryEvent[], run: number): readonly Passage[] {
  const before = (event: HistoryEvent): HistoryEvent | undefined => history[event.previousEventId - 1]
  const entries = new Map<number, Pick<Passage, 'state' | 'from'>>()
  const passages: Passage[] = []
  for (const event of history) {
    const entered = event['stateEnteredEventDetails']?.['name']
    if (typeof entered === 'string') {
      const from = before(event)?.['stateExitedEventDetails']?.['name']
      entries.set(event.id, { state: entered, from: typeof from === 'string' ? from : undefined })
    }
    const left = event['stateExitedEventDetails']?.['name']
    if (typeof left !== 'string') continue
    const entry = entryOf(event, left, history)
    const passage = entry && entries.get(entry.id)
    if (passage === undefined) continue
    entries.delete((entry as HistoryEvent).id)
    const caught = /Failed|TimedOut|Aborted/.test(before(event)?.type ?? '')
    passages.push({ ...passage, run, end: caught ? 'caught' : 'left' })
  }
  // what was entered and never left
  for (const passage of entries.values()) passages.push({ ...passage, run, end: 'failed' })
  return passages
}

/** Where the state was entered that an event leaves. */
function entryOf(
  exit: HistoryEvent,
  name: string,
  history: readonly HistoryEvent[],
): HistoryEvent | undefined {
  let event = history[exit.previousEventId - 1]
  while (event !== undefined && event['stateEnteredEventDetails']?.['name'] !== name)
    event = history[event.previousEventId - 1]
  return event
}
