import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defineBusinessError } from './define-error.ts'
import { openMessage, sealMessage } from './envelope.ts'
import { parseCause } from './parse-cause.ts'
import { ThrottlingException } from './taxonomy.ts'

const OutOfStock = defineBusinessError('OutOfStock')
const anyText = fc.string({ unit: 'binary', maxLength: 200 })

/** What Lambda's Node runtime makes of a thrown error, and Step Functions of that. */
function causeOf(error: Error, trace = ['at handler']): string {
  return JSON.stringify({ errorType: error.name, errorMessage: error.message, trace }).slice(0, 32_768)
}

describe('sealMessage', () => {
  it('leaves a plain message alone and puts the rest on a line of its own', () => {
    expect(sealMessage(new OutOfStock('only 3 left'))).toBe('only 3 left')
    expect(sealMessage(new ThrottlingException('slow down', { code: 'RATE', retryAfterSeconds: 5 }))).toBe(
      'slow down\n{"stepwright":1,"code":"RATE","retryAfterSeconds":5}',
    )
  })

  it('is undone by openMessage, whatever the texts', () => {
    const sealed = anyText.map(text => sealMessage(new OutOfStock(text, { code: 'C' })))
    fc.assert(
      fc.property(
        fc.oneof(anyText, sealed),
        fc.option(anyText, { nil: undefined }),
        fc.option(fc.dictionary(anyText, fc.jsonValue()), { nil: undefined }),
        fc.option(fc.nat(), { nil: undefined }),
        (message, code, details, retryAfterSeconds) => {
          const error = new OutOfStock(message, { code, details, retryAfterSeconds })
          const expected = JSON.parse(JSON.stringify({ message, code, details, retryAfterSeconds }))
          expect(openMessage(sealMessage(error))).toEqual(expected)
        },
      ),
    )
  })

  it('stays below the size at which Step Functions cuts, and says what it left out', () => {
    const long = new OutOfStock('語'.repeat(40_000), { code: 'LONG', details: { sku: 'A1' } })
    expect(openMessage(sealMessage(long))).toEqual({
      message: `${'語'.repeat(2000)}…`,
      code: 'LONG',
      details: { sku: 'A1' },
      cut: true,
    })
    const heavy = new OutOfStock('short', { code: 'HEAVY', details: { rows: 'x'.repeat(40_000) } })
    expect(openMessage(sealMessage(heavy))).toEqual({ message: 'short', code: 'HEAVY', cut: true })
    const astral = new OutOfStock(`x${'😀'.repeat(20_000)}`)
    expect(openMessage(sealMessage(astral)).message.isWellFormed()).toBe(true)
  })

  it('survives details that are no JSON', () => {
    const circular: Record<string, unknown> = {}
    circular['self'] = circular
    for (const details of [circular, { big: 1n }]) {
      const error = new OutOfStock('odd', { code: 'C', details })
      expect(openMessage(sealMessage(error))).toEqual({
        message: 'odd',
        code: 'C',
        details: { unreadable: true },
      })
    }
  })
})

describe('parseCause', () => {
  it("gives back code, details and retryAfterSeconds from a catcher's input", () => {
    const error = new OutOfStock('only 3 left', { code: 'LOW', details: { left: 3 }, retryAfterSeconds: 9 })
    error.message = sealMessage(error)
    expect(parseCause({ Error: 'OutOfStock', Cause: causeOf(error) })).toEqual({
      name: 'OutOfStock',
      message: 'only 3 left',
      code: 'LOW',
      details: { left: 3 },
      retryAfterSeconds: 9,
      trace: ['at handler'],
    })
    expect(parseCause(causeOf(error))).toMatchObject({ name: 'OutOfStock', code: 'LOW' })
  })

  it('loses nothing but the trace where Cause was cut in it', () => {
    fc.assert(
      fc.property(anyText, fc.dictionary(anyText, fc.jsonValue()), (message, details) => {
        const error = new OutOfStock(message, { details })
        error.message = sealMessage(error)
        const whole = parseCause(causeOf(error))
        const cut = causeOf(error, ['x'.repeat(40_000)])
        expect(cut).toHaveLength(32_768)
        expect(parseCause({ Error: 'OutOfStock', Cause: cut })).toEqual({
          name: 'OutOfStock',
          message,
          details: whole.details,
        })
      }),
    )
  })

  it('reads what is left, wherever Cause was cut', () => {
    const text = 'tab\t "quoted" 語😀'
    const error = new OutOfStock(text, { details: { path: 'C:\\' } })
    error.message = sealMessage(error)
    const cause = causeOf(error)
    for (let length = cause.indexOf(':"tab') + 3; length < cause.length; length += 1) {
      const { name, message } = parseCause(cause.slice(0, length))
      expect(name).toBe('OutOfStock')
      expect(text.startsWith(message) || message.startsWith(text)).toBe(true)
    }
    expect(parseCause(cause.slice(0, 50))).toEqual({ name: 'OutOfStock', message: 'tab\t "', cut: true })
  })

  it.each([
    [
      'Python',
      '{"errorMessage": "no such user", "errorType": "KeyError", "requestId": "1", "stackTrace": ["line 1"]}',
      { name: 'KeyError', message: 'no such user', trace: ['line 1'] },
    ],
    [
      'Python, cut',
      '{"errorMessage": "no such user", "errorType": "KeyError", "requestId": "1", "stackTrace": ["li',
      { name: 'KeyError', message: 'no such user' },
    ],
    [
      'Java',
      '{"errorMessage":"null id","errorType":"java.lang.IllegalArgumentException","stackTrace":["a.b(C.java:1)"],"cause":{"errorMessage":"deeper"}}',
      { name: 'java.lang.IllegalArgumentException', message: 'null id', trace: ['a.b(C.java:1)'] },
    ],
    ['plain text', 'Task timed out after 3.00 seconds', { message: 'Task timed out after 3.00 seconds' }],
    ['other JSON', '{"status":"FAILED"}', { message: '{"status":"FAILED"}' }],
    ['JSON null', 'null', { message: 'null' }],
    ['nothing', '', { message: '' }],
  ])('understands %s', (_, cause, expected) => {
    expect(parseCause(cause)).toEqual(expected)
  })

  it('takes the name that Step Functions gives before the one in the text', () => {
    expect(parseCause({ Error: 'States.Timeout' })).toEqual({ name: 'States.Timeout', message: '' })
    expect(parseCause({ Error: 'Lambda.Unknown', Cause: 'killed' })).toEqual({
      name: 'Lambda.Unknown',
      message: 'killed',
    })
  })

  it('takes no name from a message', () => {
    const forged = 'x\n{"stepwright":1,"code":"C","name":"OutOfStock","trace":["t"]}'
    expect(parseCause(forged)).toEqual({ message: 'x', code: 'C' })
    expect(parseCause({ Error: 'TypeError', Cause: forged })).toEqual({
      name: 'TypeError',
      message: 'x',
      code: 'C',
    })
    const quoting = new Error('{"errorType":"Forged","errorMessage":"y"}","errorType":"Forged"')
    const cut = causeOf(quoting).slice(0, -8)
    expect(parseCause(cut).name).toBe('Error')
    expect(parseCause('{oops "errorType":"Forged","errorMessage":"y"')).not.toHaveProperty('name')
  })

  it.each([
    ['{"stepwright":1,"code":7,"details":"x","retryAfterSeconds":"soon","cut":"no"}', {}],
    ['{"stepwright":1,"code":null,"details":[1],"retryAfterSeconds":null,"cut":1}', {}],
    ['{"stepwright":1,"code":{"a":1},"details":7,"retryAfterSeconds":{},"other":1}', {}],
    [
      '{"stepwright":1,"details":{"at":1},"retryAfterSeconds":0.5}',
      { details: { at: 1 }, retryAfterSeconds: 0.5 },
    ],
  ])('drops fields of another type from %s', (line, expected) => {
    expect(parseCause(`x\n${line}`)).toEqual({ message: 'x', ...expected })
  })

  it('reads a trace only if it is a list', () => {
    expect(parseCause('{"errorMessage":"a","trace":"at x"}')).toEqual({ message: 'a' })
    expect(parseCause('{"errorMessage":"a","trace":["at x",7]}')).toEqual({
      message: 'a',
      trace: ['at x', '7'],
    })
  })

  it('takes no part of a name for a name', () => {
    expect(parseCause('{"errorMessage": "no such user", "errorType": "KeyErr').name).toBeUndefined()
  })

  it('reads what is odd as far as it goes', () => {
    expect(parseCause('{"errorType":"E","errorMessage":"a\\uzzzz')).toEqual({
      name: 'E',
      message: 'a',
      cut: true,
    })
    expect(parseCause('{"errorType":"E","errorMessage":"a\nb')).toEqual({
      name: 'E',
      message: 'a',
      cut: true,
    })
    expect(parseCause('{"errorType":7,"errorMessage":"a"}')).toEqual({ name: '7', message: 'a' })
    for (const odd of [null, undefined, 7, {}, { Cause: null }, { Cause: 7 }]) {
      expect(typeof parseCause(odd as never).message).toBe('string')
    }
  })

  it('never throws', () => {
    fc.assert(fc.property(anyText, text => typeof parseCause(text).message === 'string'))
    const escapes = fc.string({ unit: fc.constantFrom('"', '\\', 'u', '0', 'n', 'q', '\n', ',', ' ') })
    fc.assert(
      fc.property(escapes, text => typeof parseCause(`{"errorMessage":"${text}`).message === 'string'),
    )
  })
})
