import type { CsvFile } from '@stepwright/csv-chunker'
import { describe, expect, it } from 'vitest'
import { createRecordParser } from './user-activity.ts'

describe('createRecordParser', () => {
  const columnOf = { user_id: 'user_id', login_count: 'login_count', post_count: 'post_count', error: null }
  const form = { source: { size: 9 }, columns: [], dialect: {} as CsvFile['dialect'] }
  const file = { bucket: 'b', key: 'data/a.csv', columnOf, ...form }
  const upload = { time: '2024-08-02T12:34:56Z', object: { sequencer: '0A' } }
  const parse = (row: Record<string, string>) => createRecordParser({ file, upload })(row, 1)
  const record = (user_id: string, login_count = '1', post_count = '2') => ({
    user_id,
    login_count,
    post_count,
  })

  it('makes numbers of counts', () => {
    expect(parse(record('U00001', '5', '012'))).toEqual({
      source: 'b/data/a.csv',
      upload_order: '2024-08-02T12:34:56Z 0A',
      user_id: 'U00001',
      login_count: 5,
      post_count: 12,
    })
  })

  it.each(['', ' 5', '-1', '1.5', '1e3', '５', '1234567890', 'NaN', 'たくさん'])(
    'refuses %j as a count',
    count => {
      expect(() => parse(record('U1', count))).toThrow('login_count must be a whole number')
      expect(() => parse(record('U1', '1', count))).toThrow('post_count must be a whole number')
    },
  )

  it.each(['', ' U1', '=1+1', 'U 1', 'U1\n', 'U'.repeat(65)])('refuses %j as a user', user => {
    expect(() => parse(record(user))).toThrow('user_id must be')
  })

  it('reads a row that was rejected and comes back as what it was, formula or not', () => {
    const rejected = { ...file, columnOf: { ...columnOf, error: 'error' } }
    const parseAgain = createRecordParser({ file: rejected, upload })
    expect(() => parseAgain(record('U1', "'-1"), 1)).toThrow('login_count must be')
    expect(() => parseAgain(record("'=1+1"), 1)).toThrow('user_id must be')
    expect(parseAgain(record('U1', '7'), 1)).toMatchObject({ login_count: 7 })
  })
})
