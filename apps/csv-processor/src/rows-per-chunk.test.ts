import { describe, expect, it } from 'vitest'
import { toRowsPerChunk } from './rows-per-chunk.ts'

describe('toRowsPerChunk', () => {
  it.each([
    [0, 250],
    [15_000, 250],
    [65_536, 250],
    [65_537, 500],
    [300_000, 1250],
    [13_000_000, 1500],
    [5_000_000_000, 1500],
  ])('is, for a file of %d bytes, %d', (bytes, rows) => {
    expect(toRowsPerChunk(bytes, 250)).toBe(rows)
  })
})
