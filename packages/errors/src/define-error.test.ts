import { describe, expect, expectTypeOf, it, vi } from 'vitest'
import { BusinessError, defineBusinessError, defineRetryableError, RetryableError } from './define-error.ts'
import { isTaskError } from './task-error.ts'

class OutOfStock extends defineBusinessError('OutOfStock', { httpStatus: 409 }) {}
class WarehouseBusy extends defineRetryableError('WarehouseBusy') {}

describe('defineBusinessError', () => {
  it('gives a class whose name, kind and status are known without an instance', () => {
    const { errorName, kind, httpStatus } = OutOfStock
    expect({ errorName, kind, httpStatus }).toEqual({
      errorName: 'OutOfStock',
      kind: 'business',
      httpStatus: 409,
    })
    expect(OutOfStock.retry).toBeUndefined()
    expectTypeOf(OutOfStock.errorName).toEqualTypeOf<'OutOfStock'>()
    expectTypeOf(OutOfStock.kind).toEqualTypeOf<'business'>()
  })

  it('gives instances that are errors with a literal name', () => {
    const cause = new Error('row locked')
    const error = new OutOfStock('only 3 left', { code: 'LOW', details: { sku: 'A1' }, cause })
    expect(error).toBeInstanceOf(Error)
    expect(error).toBeInstanceOf(BusinessError)
    expect(error).not.toBeInstanceOf(RetryableError)
    expect(error.stack).toMatch(/^OutOfStock: only 3 left/)
    expect({ ...error }).toEqual({ code: 'LOW', details: { sku: 'A1' } })
    expect(error.cause).toBe(cause)
    expect(Object.hasOwn(new OutOfStock('x'), 'cause')).toBe(false)
  })
})

describe('defineRetryableError', () => {
  it('waits 2, 4 and 8 seconds unless told otherwise', () => {
    expect(WarehouseBusy.retry).toEqual({ intervalSeconds: 2, maxAttempts: 3, backoffRate: 2 })
    expect(WarehouseBusy.httpStatus).toBe(503)
    expect(new WarehouseBusy('later')).toBeInstanceOf(RetryableError)
  })

  it.each([
    [{ intervalSeconds: 0, maxAttempts: 3, backoffRate: 2 }, 'intervalSeconds 0'],
    [{ intervalSeconds: 1.5, maxAttempts: 3, backoffRate: 2 }, 'intervalSeconds 1.5'],
    [{ intervalSeconds: 1, maxAttempts: -1, backoffRate: 2 }, 'maxAttempts -1'],
    [{ intervalSeconds: 1, maxAttempts: 1, backoffRate: 0.5 }, 'backoffRate 0.5'],
    [{ intervalSeconds: 9, maxAttempts: 1, backoffRate: 1, maxDelaySeconds: 3 }, 'maxDelaySeconds 3'],
  ])('refuses a policy that Step Functions would refuse: %j', (retry, problem) => {
    expect(() => defineRetryableError('Impossible', { retry })).toThrow(problem)
  })
})

describe('an error name', () => {
  it.each([
    '',
    ' ',
    'Error',
    'States.Timeout',
    ' Padded',
    'Padded ',
    'two\nlines',
    'DEL\x7f',
    'x'.repeat(257),
  ])('is refused where ErrorEquals could not match it: %j', name => {
    expect(() => defineBusinessError(name)).toThrow(TypeError)
    expect(() => defineRetryableError(name)).toThrow(TypeError)
  })

  it.each(['在庫切れ', 'OUT_OF_STOCK', 'com.example.OutOfStock', 'x'.repeat(256)])('may be %j', name => {
    expect(defineBusinessError(name).errorName).toBe(name)
  })

  it('has one meaning', () => {
    expect(() => defineRetryableError('OutOfStock')).toThrow('"OutOfStock" is already business')
    expect(() => defineBusinessError('OutOfStock')).not.toThrow()
  })
})

describe('isTaskError', () => {
  it('knows the errors of another copy of this package', async () => {
    vi.resetModules()
    const copy = await import('./define-error.ts')
    const foreign = new (copy.defineBusinessError('OutOfStock'))('from the other copy')
    expect(foreign).not.toBeInstanceOf(BusinessError)
    expect(isTaskError(foreign)).toBe(true)
    expect(isTaskError(foreign, OutOfStock)).toBe(true)
    expect(isTaskError(foreign, WarehouseBusy)).toBe(false)
  })

  it.each([undefined, null, 'OutOfStock', new Error('x'), { name: 'OutOfStock' }])('refuses %s', value => {
    expect(isTaskError(value)).toBe(false)
  })
})
