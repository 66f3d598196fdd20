import { describe, expect, it } from 'vitest'
import { createRecordParser, mapColumns } from './user-activity.ts'

describe('mapColumns', () => {
  it.each([
    [['ユーザーID', 'ログイン回数', '投稿回数']],
    [['post_count', 'user_id', 'login_count']],
    [['ユーザーID', 'login_count', '投稿回数', 'error']],
  ])('knows %j', columns => {
    expect(mapColumns(columns)).not.toHaveProperty('problem')
  })

  it.each([
    [['user_id', 'login_count'], 'post_count'],
    [['user_id', 'login_count', 'post_count', 'note'], '"note" is not known'],
    [['user_id', 'ユーザーID', 'login_count', 'post_count'], 'are the same column'],
    [['User_ID', 'login_count', 'post_count'], '"User_ID" is not known'],
  ])('refuses %j', (columns, problem) => {
    expect(mapColumns(columns)).toEqual({ problem: expect.stringContaining(problem) })
  })
})

describe('createRecordParser', () => {
  const parse = createRecordParser(['user_id', 'login_count', 'post_count'])
  const record = (user_id: string, login_count = '1', post_count = '2') => ({
    user_id,
    login_count,
    post_count,
  })

  it('makes numbers of counts', () => {
    expect(parse(record('U00001', '5', '012'))).toEqual({ user_id: 'U00001', login_count: 5, post_count: 12 })
  })

  it.each(['', ' 5', '-1', '1.5', '1e3', '５', '1234567890', 'NaN', 'たくさん'])(
    'refuses %j as a count',
    count => {
      expect(() => parse(record('U1', count))).toThrow('login_count is no whole number')
      expect(() => parse(record('U1', '1', count))).toThrow('post_count is no whole number')
    },
  )

  it.each(['', ' U1', '=1+1', 'U 1', 'U1\n', 'U'.repeat(65)])('refuses %j as a user', user => {
    expect(() => parse(record(user))).toThrow('user_id is not')
  })
})
