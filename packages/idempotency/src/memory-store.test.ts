import { describe } from 'vitest'
import { createMemoryStore } from './memory-store.ts'
import { testIdempotencyStore } from './testing.ts'

describe.each([0, 10_000])('createMemoryStore with a clock skew of %i ms', clockSkewMs => {
  testIdempotencyStore(() => {
    let time = 1_700_000_000_000
    const store = createMemoryStore({ now: () => time, clockSkewMs })
    return {
      store,
      graceMs: clockSkewMs,
      advance(ms) {
        time += ms
      },
    }
  })
})
