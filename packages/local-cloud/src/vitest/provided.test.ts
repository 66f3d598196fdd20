import { describe, expect, it } from 'vitest'
import { GlobalSetupMissingError } from '../vitest.ts'
import { provided } from './provided.ts'

describe('provided', () => {
  it('says which global setup is missing', () => {
    expect(() => provided(undefined, 's3')).toThrow(GlobalSetupMissingError)
    expect(() => provided(undefined, 's3')).toThrow("'@stepwright/local-cloud/vitest/s3'")
    expect(provided('there', 's3')).toBe('there')
  })
})
