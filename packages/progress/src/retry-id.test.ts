import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toRetryId } from './retry-id.ts'

describe('toRetryId', () => {
  it('is a UUID of version 8 that stays the same in all releases', () => {
    expect(toRetryId('6f0d4b9e-3c1f-4b7a-9d6e-0a1b2c3d4e5f')).toMatchInlineSnapshot(
      `"c49d64f0-2ed4-8cec-a08d-cc63a6df669c"`,
    )
  })

  it('has the form of a UUID and differs from what it is made of', () => {
    fc.assert(
      fc.property(fc.string(), id => {
        expect(toRetryId(id)).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
        expect(toRetryId(toRetryId(id))).not.toBe(toRetryId(id))
      }),
    )
  })
})
