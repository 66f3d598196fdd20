import { describe, expect, it } from 'vitest'
import { expect as own } from './expect.ts'
import type { Expect, Expectation } from './test-runner.ts'

class Thing {
  readonly id = 1
}

/** What an expectation says: nothing, or that it failed. */
async function outcome(using: Expect, state: (given: Expect) => unknown): Promise<'passed' | 'failed'> {
  try {
    await state(using)
    return 'passed'
  } catch {
    return 'failed'
  }
}

const statements: Record<string, (given: Expect) => unknown> = {
  'the same value': given => given(Number.NaN).toBe(Number.NaN),
  'another value': given => given({}).toBe({}),
  'equal objects': given => given({ a: [1, { b: 2 }] }).toEqual({ a: [1, { b: 2 }] }),
  'an undefined property as absent': given => given({ a: 1, b: undefined }).toEqual({ a: 1 }),
  'an expected property that is missing': given => given({ a: 1 }).toEqual({ a: 1, b: null }),
  'one property more': given => given({ a: 1, b: 2 }).toEqual({ a: 1 }),
  'a list that is longer': given => given([1, 2]).toEqual([1]),
  maps: given => given(new Map([['a', 1]])).toEqual(new Map([['a', 1]])),
  'maps that differ': given => given(new Map([['a', 1]])).toEqual(new Map([['a', 2]])),
  bytes: given => given(Buffer.from('ab')).toEqual(Buffer.from('ab')),
  'bytes that differ': given => given(Buffer.from('ab')).toEqual(Buffer.from('ac')),
  'dates that differ': given => given(new Date(1)).toEqual(new Date(2)),
  'an instance and a plain object': given => given(new Thing()).toEqual({ id: 1 }),
  'null and an object': given => given(null).toEqual({}),
  'a part of an object': given => given({ a: 1, b: { c: 2, d: 3 } }).toMatchObject({ b: { c: 2 } }),
  'a part that differs': given => given({ b: { c: 2 } }).toMatchObject({ b: { c: 3 } }),
  'parts in a list': given => given([{ a: 1, b: 2 }]).toMatchObject([{ a: 1 }]),
  'parts in a longer list': given => given([{ a: 1 }, { a: 2 }]).toMatchObject([{ a: 1 }]),
  'fields of an error': given =>
    given(new TypeError('no')).toMatchObject({ name: 'TypeError', message: 'no' }),
  'fields of null': given => given(null).toMatchObject({ a: 1 }),
  'any number': given => given({ at: 5 }).toEqual({ at: given.any(Number) }),
  'any number, of a text': given => given({ at: '5' }).toEqual({ at: given.any(Number) }),
  'any text': given => given('x').toEqual(given.any(String)),
  'any instance': given => given(new Thing()).toEqual(given.any(Thing)),
  'a text with a part': given =>
    given({ text: 'a dog' }).toMatchObject({ text: given.stringContaining('dog') }),
  'a text without it': given =>
    given({ text: 'a cat' }).toMatchObject({ text: given.stringContaining('dog') }),
  'a length': given => given('abc').toHaveLength(3),
  'another length': given => given([]).toHaveLength(1),
  'a property': given => given({ a: 1 }).toHaveProperty('a'),
  'a property that is missing': given => given({}).toHaveProperty('a'),
  'a property that should be missing': given => given({ a: 1 }).not.toHaveProperty('a'),
  undefined: given => given(undefined).toBeUndefined(),
  'something undefined': given => given(0).toBeUndefined(),
  defined: given => given(null).toBeDefined(),
  greater: given => given(2).toBeGreaterThan(1),
  'not greater': given => given(1).toBeGreaterThan(1),
  less: given => given(1).toBeLessThan(2),
  'not less': given => given(2).toBeLessThan(2),
  'an error that is thrown': given => given(() => JSON.parse('{')).toThrow(SyntaxError),
  'no error': given => given(() => 1).toThrow(),
  'an error of another text': given => given(() => JSON.parse('{')).toThrow('elephant'),
  'a rejection': given => given(Promise.reject(new Error('too late'))).rejects.toThrow(/late/),
  'a rejection of another class': given =>
    given(Promise.reject(new Error('late'))).rejects.toThrow(TypeError),
  'a rejection with fields': given =>
    given(Promise.reject(Object.assign(new Error('x'), { name: 'Late' }))).rejects.toMatchObject({
      name: 'Late',
    }),
  'no rejection': given => given(Promise.resolve(1)).rejects.toThrow(),
}

describe('expect, over node:assert', () => {
  it.each(Object.entries(statements))('judges as Vitest does: %s', async (_, state) => {
    expect(await outcome(own, state)).toBe(await outcome(expect as unknown as Expect, state))
  })

  it('says what it saw and what it wanted', () => {
    const failing: Expectation = own({ a: { b: 1 } })
    expect(() => failing.toEqual({ a: { b: 2 } })).toThrow('expected { a: { b: 1 } } toEqual { a: { b: 2 } }')
  })
})
