import { createHash } from 'node:crypto'
import type { StateMachine } from '@stepwright/asl'
import { randomFrom } from '@stepwright/bench'
import { chaosRounds } from '@stepwright/bench/chaos'
import { describe, expect, it } from 'vitest'
import { createEngine } from '../src/engine.ts'
import { TaskFailure } from '../src/task/ports.ts'
import { replayHistory } from '../src/testing/index.ts'
import { createVirtualClock } from '../src/time/clock.ts'
import { randomMachine } from './random-machine.ts'

/** Runs a machine whose calls fail and take their time by chance, and prints its history as AWS does. */
async function record(definition: StateMachine, failures: number, seed: number): Promise<object> {
  let calls = 0
  const engine = createEngine({
    definition,
    clock: createVirtualClock(Date.UTC(2026, 0, 1)),
    random: () => 0.5,
    invoke: async (_arn, _payload, { sleep }) => {
      calls += 1
      const [chance = 0, duration = 0, answer = 0] = createHash('md5').update(`${seed} ${calls}`).digest()
      await sleep(duration * 50)
      if (chance < failures) throw new TaskFailure('Boom', `call ${calls}`)
      return answer
    },
  })
  const execution = engine.run({ place: '', items: [1, 2] })
  await execution.result
  return JSON.parse(JSON.stringify({ events: execution.history() }))
}

describe('random machines', () => {
  it.each([0, 40, 120])('go again as they went, with %i of 256 calls failing', async failures => {
    for (let seed = 1; seed <= chaosRounds(40); seed += 1) {
      const definition = randomMachine(randomFrom(seed), 3)
      const { differences } = await replayHistory(definition, await record(definition, failures, seed))
      expect(differences, `seed ${seed}`).toEqual([])
    }
  })
})
