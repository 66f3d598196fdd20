import { expect, it } from 'vitest'
import { fuzzTables } from '../test/typing-fuzz.ts'

it('changes no value and alternates no type in random tables', { timeout: 120_000 }, async () => {
  const { problems, compared } = await fuzzTables({ seed: 20_250_907, tables: 8 })
  expect(problems).toEqual([])
  expect(compared).toBeGreaterThan(300)
})
