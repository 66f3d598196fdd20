import { chaosRounds } from '@stepwright/bench/chaos'
import { describe, expect, it } from 'vitest'
import { fuzzTables } from '../test/typing-fuzz.ts'

const rounds = chaosRounds(0)
const tables = Math.max(1000, rounds)

describe.runIf(rounds > 0)('the types of random tables', { timeout: 0 }, () => {
  it(`change no value and never alternate, in ${tables} tables`, async () => {
    const { problems, compared } = await fuzzTables({ seed: Math.floor(Math.random() * 2 ** 31), tables })
    expect(problems).toEqual([])
    expect(compared).toBeGreaterThan(50 * tables)
  })
})
