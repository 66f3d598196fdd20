import { createHash } from 'node:crypto'
import type { StateMachine } from '@stepwright/asl'
import { randomFrom } from '@stepwright/bench'
import { chaosRounds } from '@stepwright/bench/chaos'
import { describe, expect, it } from 'vitest'
import { createEngine, type ExecutionResult, type RunOptions } from '../src/engine.ts'
import type { HistoryRecord } from '../src/history/record.ts'
import { TaskFailure } from '../src/task/ports.ts'
import { createVirtualClock } from '../src/time/clock.ts'
import { randomMachine } from './random-machine.ts'

const input = { place: '', items: [1, 2] }

interface Ran {
  readonly result: ExecutionResult
  readonly records: readonly HistoryRecord[]
}

/** Whether a call fails, and how long it takes, depends on nothing but which call it is. */
async function run(
  definition: StateMachine,
  failures: number,
  resume?: NonNullable<RunOptions['resume']>,
): Promise<Ran> {
  const before = resume?.records ?? []
  const startMs = Math.max(Date.UTC(2024, 0, 1), ...before.map(record => record.timestampMs))
  const engine = createEngine({
    definition,
    clock: createVirtualClock(startMs),
    random: () => 0.5,
    limits: { payloadBytes: 2 ** 30, historyEvents: 2 ** 30 },
    invoke: async (_arn, payload, { retryCount, sleep }) => {
      const [chance = 0, duration = 0, answer = 0] = createHash('md5')
        .update(JSON.stringify([payload, retryCount]))
        .digest()
      await sleep(duration * 50)
      if (chance < failures) throw new TaskFailure('Boom', 'as it must')
      return answer
    },
  })
  const records = [...before]
  const { result } = engine.run(input, {
    name: 'x',
    keepHistory: false,
    onEvent: record => records.push(JSON.parse(JSON.stringify(record))),
    ...(resume === undefined ? {} : { resume }),
  })
  return { result: await result, records }
}

/** What a thread's records cannot say if nothing was done twice; `undefined` if all is well. */
function findContradiction(records: readonly HistoryRecord[]): string | undefined {
  const threads = new Map<string, { state?: string | undefined; isCalling: boolean; isAnswered: boolean }>()
  for (const { type, id, details, place = '' } of records) {
    if (type === 'ExecutionRedriven') for (const thread of threads.values()) thread.isCalling = false
    const thread = threads.get(place) ?? { isCalling: false, isAnswered: false }
    threads.set(place, thread)
    const problem = (what: string): string => `${what} at ${place} #${id}`
    if (type.endsWith('StateEntered')) {
      if (thread.state !== undefined) return problem(`entered inside ${thread.state}`)
      threads.set(place, { state: details?.name, isCalling: false, isAnswered: false })
    } else if (type.endsWith('StateExited')) {
      if (thread.state !== details?.name) return problem(`left ${details?.name} inside ${thread.state}`)
      threads.set(place, { isCalling: false, isAnswered: false })
    } else if (type === 'LambdaFunctionScheduled') {
      if (thread.isCalling || thread.isAnswered) return problem('called again')
      thread.isCalling = true
    } else if (type === 'LambdaFunctionSucceeded' || type === 'LambdaFunctionFailed') {
      if (!thread.isCalling) return problem('answered again')
      thread.isCalling = false
      thread.isAnswered = type === 'LambdaFunctionSucceeded'
    } else if (type === 'AttemptFailed') thread.isCalling = false
  }
  return undefined
}

describe('random machines', () => {
  it('come to the same end wherever they are interrupted, and do nothing twice', async () => {
    for (let seed = 1; seed <= chaosRounds(25); seed += 1) {
      const random = randomFrom(seed)
      const definition = randomMachine(random, 3)
      const whole = await run(definition, 0)
      expect(whole.result.status).toBe('SUCCEEDED')
      for (let cuts = 0; cuts < 8; cuts += 1) {
        const length = 1 + Math.floor(random() * (whole.records.length - 1))
        const resumed = await run(definition, 0, { records: whole.records.slice(0, length) })
        expect(resumed.result, `seed ${seed}, ${length} records`).toEqual(whole.result)
        expect(findContradiction(resumed.records), `seed ${seed}, ${length} records`).toBeUndefined()
      }
    }
  })

  it('do nothing twice that had succeeded when they are redriven, and interrupted after that', async () => {
    for (let seed = 1; seed <= chaosRounds(25); seed += 1) {
      const random = randomFrom(seed)
      const definition = randomMachine(random, 3)
      const failed = await run(definition, 60)
      expect(findContradiction(failed.records)).toBeUndefined()
      const length = 1 + Math.floor(random() * (failed.records.length - 1))
      const interrupted = await run(definition, 60, { records: failed.records.slice(0, length) })
      expect(interrupted.result.status, `seed ${seed}, ${length} records`).toBe(failed.result.status)
      expect(findContradiction(interrupted.records), `seed ${seed}, ${length} records`).toBeUndefined()
      if (failed.result.status !== 'FAILED') continue
      const redriven = await run(definition, 0, { records: failed.records, redrive: true })
      expect(redriven.result.status, `seed ${seed}`).toBe('SUCCEEDED')
      expect(findContradiction(redriven.records), `seed ${seed}`).toBeUndefined()
      const more = redriven.records.length - failed.records.length
      const cut = failed.records.length + 1 + Math.floor(random() * (more - 1))
      const again = await run(definition, 0, { records: redriven.records.slice(0, cut) })
      expect(again.result, `seed ${seed}, ${cut} records`).toEqual(redriven.result)
      expect(findContradiction(again.records), `seed ${seed}, ${cut} records`).toBeUndefined()
    }
  })
})
