import { describe } from 'vitest'
import { createMemoryIdempotencyStore } from './memory-store.ts'
import { testIdempotencyStore } from './testing.ts'

describe.each([0, 10_000])('createMemoryIdempotencyStore with a clock skew of %i ms', clockSkewMs => {
  testIdempotencyStore(() => {
    let time = 1_700_000_000_000
    const store = createMemoryIdempotencyStore({ now: () => time, clockSkewMs })
    return {
      store,
      graceMs: clockSkewMs,
      advance(ms) {
        time += ms
      },
    }
  })
})
