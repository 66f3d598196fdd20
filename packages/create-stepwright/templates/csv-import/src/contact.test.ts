import { expect, it } from 'vitest'
import { toContact } from './contact.ts'

it('reads a contact', () => {
  expect(toContact({ email: 'Ada@example.com', name: 'Ada' }, 1)).toEqual({
    email: 'ada@example.com',
    name: 'Ada',
  })
})

it('refuses what is not an address', () => {
  expect(() => toContact({ email: 'not an address' }, 1)).toThrow('email must be an address')
})
