import { describe, expect, it } from 'vitest'
import { checksumOf } from './checksum.ts'

describe('checksumOf', () => {
  it('is what ledgers hold of earlier entries', () => {
    const entry = {
      s3_key: 'uploads/é.csv',
      chunk: { rowCount: 5000, index: 3, offset: 81_920, length: 40_960, firstRow: 15_001 },
      columns: { email: 'メール', name: null },
      none: undefined,
      list: [{ b: 1, a: 1.5 }, null],
    }
    expect(checksumOf(entry)).toBe('98f9162c92a31f43d1228961d618e9c4b97355d8459344252138559e69d2e57e')
    expect(checksumOf(JSON.parse(JSON.stringify(entry)))).toBe(checksumOf(entry))
  })
})
