import { defineBusinessError, isTaskError, parseCause, sealMessage, toTaskError } from '@stepwright/errors'
import { classifyPostgres } from '@stepwright/errors/postgres'
import { expect, it } from 'vitest'

class OutOfStock extends defineBusinessError('OutOfStock', { httpStatus: 409 }) {}

it('crosses a Lambda boundary and comes back', () => {
  // thrown in one function …
  const error = new OutOfStock('only 3 left', { code: 'LOW', details: { sku: 'A1' } })
  // … reported by Lambda, caught by a state machine, given to another function
  const caught = { Error: error.name, Cause: JSON.stringify({ errorMessage: sealMessage(error) }) }
  expect(parseCause(caught)).toMatchObject({ name: 'OutOfStock', code: 'LOW', details: { sku: 'A1' } })

  // a database's error becomes one of the taxonomy, which knows how to be retried
  const deadlock = toTaskError(
    Object.assign(new Error('deadlock detected'), { code: '40P01' }),
    classifyPostgres,
  )
  expect(deadlock).toMatchObject({ name: 'TemporaryError', kind: 'retryable', retry: { maxAttempts: 3 } })
  expect(isTaskError(deadlock, OutOfStock)).toBe(false)
})
