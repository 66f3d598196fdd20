import { expect, it } from 'vitest'
import { plain } from './tables.ts'

it.each([
  [{ N: '12.5' }, 12.5],
  [{ N: '12345678901234567890' }, '12345678901234567890'],
  [{ NS: ['1', '0.1234567890123456789'] }, [1, '0.1234567890123456789']],
  [{ BS: [Buffer.from('a')] }, ['base64:YQ==']],
  [{ M: { a: { L: [{ BOOL: true }, { NULL: true }, { S: 'x' }] } } }, { a: [true, null, 'x'] }],
])('shows %j as it is', (value, shown) => {
  expect(plain(value as never)).toEqual(shown)
})
