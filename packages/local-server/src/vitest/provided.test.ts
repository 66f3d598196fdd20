import { describe, expect, it } from 'vitest'
import { GlobalSetupMissingError, provided } from './provided.ts'

describe('provided', () => {
  it('says which global setup is missing', () => {
    expect(() => provided(undefined, 'a-service/vitest/setup')).toThrow(GlobalSetupMissingError)
    expect(() => provided(undefined, 'a-service/vitest/setup')).toThrow("'a-service/vitest/setup'")
    expect(provided('there', 'a-service/vitest/setup')).toBe('there')
  })
})
