import { describe, expect, it } from 'vitest'
import {
  aBoolean,
  aFunction,
  anObject,
  anything,
  aSignal,
  assertOptions,
  aText,
  membersOf,
  numberAbove,
  numberFrom,
  oneOf,
  recordOf,
  texts,
  wholeFrom,
} from './options.ts'

const checks = {
  size: wholeFrom(1),
  level: wholeFrom(0, 9),
  share: numberFrom(0, 1),
  rate: numberAbove(0),
  store: anObject,
  mode: oneOf('fast', 'safe'),
  dry: aBoolean,
  now: aFunction,
  name: aText,
  tags: texts,
  signal: aSignal,
  limits: membersOf({ maxRows: wholeFrom(0) }),
  columns: recordOf(membersOf({ optional: aBoolean })),
  schema: anything,
}

describe('assertOptions', () => {
  it('accepts what is possible, and undefined', () => {
    assertOptions('run', {}, checks)
    const columns = { email: { optional: true }, name: {} }
    const all = {
      size: Number.POSITIVE_INFINITY,
      level: 9,
      share: 0.5,
      rate: 0.1,
      store: () => ({}),
      mode: 'safe',
      dry: false,
      now: Date.now,
      columns,
    }
    assertOptions(
      'run',
      { ...all, name: 'x', tags: [], signal: AbortSignal.abort(), limits: {}, schema: 1 },
      checks,
    )
    assertOptions('run', { size: undefined, limits: { maxRows: undefined } }, checks)
  })

  it.each<[object | string | null, string]>([
    [{ size: 0 }, 'options of run: size must be a whole number from 1, and is 0'],
    [{ size: Number.NaN }, 'and is NaN'],
    [{ size: '7' }, 'and is a string'],
    [{ level: Number.POSITIVE_INFINITY }, 'level must be a whole number from 0 to 9, and is Infinity'],
    [{ share: 1.5 }, 'share must be a number from 0 to 1, and is 1.5'],
    [{ share: '1' }, 'and is a string'],
    [{ rate: 0 }, 'rate must be a number above 0, and is 0'],
    [{ rate: Number.NaN }, 'rate must be a number above 0, and is NaN'],
    [{ store: null }, 'store must be an object'],
    [{ store: 'x' }, 'store must be an object'],
    [{ mode: 'Fast' }, 'mode must be one of "fast", "safe"'],
    [{ dry: 'no' }, 'dry must be true or false'],
    [{ now: 1 }, 'now must be a function'],
    [{ name: '' }, 'name must be a text that is not empty'],
    [{ tags: 'a' }, 'tags must be a list of texts'],
    [{ signal: {} }, 'signal must be an AbortSignal'],
    [{ limits: 5 }, 'limits must be an object'],
    [{ limits: { maxRow: 5 } }, 'limits.maxRow does not exist; there are maxRows'],
    [{ columns: { email: { optional: 1 } } }, 'columns.email.optional must be true or false'],
    [{ sise: 5 }, 'options of run: sise does not exist; there are size, level'],
    [{ constructor: 5 }, 'constructor does not exist'],
    ['x', 'must be an object'],
    [null, 'must be an object'],
  ])('refuses %j', (options, message) => {
    expect(() => assertOptions('run', options, checks)).toThrow(TypeError)
    expect(() => assertOptions('run', options, checks)).toThrow(message)
  })
})
