import { type Json, stateTypesOf } from '@stepwright/asl'
import { randomFrom } from '@stepwright/bench'
import { chaosRounds } from '@stepwright/bench/chaos'
import { describe, expect, it } from 'vitest'
import { createEngine, createVirtualClock, TaskFailure } from '../../src/index.ts'
import { fitsType } from './fits-type.ts'
import { inputSchema, randomAnswer, randomInput, tasks } from './random-data.ts'
import { randomMachine } from './random-machine.ts'

const seed = 20_261_118

describe('the types of a state’s data', () => {
  it('fit what states are given and call with, in random machines', { timeout: 1_800_000 }, async () => {
    let compared = 0
    const misfits: string[] = []
    const compare = (type: string, value: Json, what: string): void => {
      compared += 1
      if (!fitsType(type, value)) misfits.push(`${what} ${JSON.stringify(value)}, which is not ${type}`)
    }
    for (let round = 0; round < chaosRounds(5) * 20; round += 1) {
      const random = randomFrom(seed + round)
      const definition = await randomMachine(random)
      const types = stateTypesOf(definition as unknown as Json, { input: inputSchema, tasks })
      const byName = new Map(types.map(each => [each.name, each]))
      for (let run = 0; run < 6; run += 1) {
        const engine = createEngine({
          definition,
          clock: createVirtualClock(),
          invoke: (arn, payload, { stateName }) => {
            const { argument } = byName.get(stateName) ?? {}
            if (argument !== undefined)
              compare(argument, payload, `seed ${seed + round}: ${stateName} calls with`)
            const answer = randomAnswer(arn.split(':')[6] ?? '', random)
            if (answer === undefined) throw new TaskFailure('SendError', 'not sent')
            return answer
          },
        })
        const running = engine.run(randomInput(random))
        await running.result
        for (const { stateEnteredEventDetails: entered } of running.history()) {
          if (entered === undefined) continue
          const { input } = byName.get(String(entered['name'])) ?? {}
          const value = JSON.parse(String(entered['input'])) as Json
          compare(input ?? 'never', value, `seed ${seed + round}: ${entered['name']} is given`)
        }
      }
    }
    expect(misfits.slice(0, 3)).toEqual([])
    expect(compared).toBeGreaterThan(1000)
  })
})
