import { describe, expect, it } from 'vitest'
import { sourceOfValue } from './source-of-value.ts'

describe('sourceOfValue', () => {
  it('places values where JSON.stringify with two spaces prints them', () => {
    expect(sourceOfValue({ States: { A: { Type: 'Pass' } } }).locate(['States', 'A', 'Type'])).toMatchObject({
      line: 4,
      column: 15,
    })
  })

  it('reports a definition that contains itself', () => {
    const machine: Record<string, unknown> = { StartAt: 'A' }
    machine['States'] = { A: machine }
    expect(sourceOfValue(machine).problems).toMatchObject([{ pointer: ['States', 'A'] }])
  })

  it('reports what JSON cannot hold, and leaves out undefined', () => {
    expect(
      sourceOfValue({ a: 1n, b: () => 1, c: Number.NaN, d: undefined }).problems.map(
        problem => problem.pointer,
      ),
    ).toEqual([['a'], ['b'], ['c']])
  })
})
