import { describe, expect, it } from 'vitest'
import { addUsage, expressUsage, noUsage, priceOf } from './usage.ts'

describe('priceOf', () => {
  it('adds transitions, requests and time', () => {
    expect(priceOf(noUsage)).toBe(0)
    expect(priceOf({ ...noUsage, transitions: 4000 })).toBeCloseTo(0.1)
    const million = { transitions: 0, expressRequests: 1_000_000, expressMs: 100_000_000 }
    expect(priceOf(million)).toBeCloseTo(1.104, 3)
    expect(priceOf(million, { transition: 0, expressRequest: 0.000002, expressGbSecond: 0 })).toBe(2)
  })
})

describe('expressUsage', () => {
  it.each([
    [0, 100],
    [100, 100],
    [101, 200],
  ])('rounds %i ms up to %i', (durationMs, expressMs) => {
    expect(expressUsage(durationMs)).toEqual({ transitions: 0, expressRequests: 1, expressMs })
  })

  it('is added', () => {
    const twice = addUsage(expressUsage(50), { ...expressUsage(250), transitions: 2 })
    expect(twice).toEqual({ transitions: 2, expressRequests: 2, expressMs: 400 })
  })
})
