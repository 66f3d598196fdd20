import type { StandardSchemaV1 } from '@standard-schema/spec'
import { describe, expect, expectTypeOf, it } from 'vitest'
import * as full from 'zod'
import * as z from 'zod/mini'
import { parseSettings } from './settings.ts'

const schema = z.object({
  TABLE_NAME: z.string(),
  MAX_SEND_RATE: z._default(z.coerce.number().check(z.gte(1), z.lte(25)), 14),
  SECRET: z.optional(z.string().check(z.minLength(8, 'must have at least 8 characters'))),
  MODE: z._default(z.enum(['fast', 'safe']), 'safe'),
})
const whole = { TABLE_NAME: 'jobs' }

function problemWith(environment: Record<string, string>): string {
  try {
    parseSettings(schema, environment)
  } catch (error) {
    expect(error).toMatchObject({ name: 'UnexpectedError' })
    return (error as Error).message
  }
  return expect.unreachable('it should have failed')
}

describe('parseSettings', () => {
  it('reads variables as the schema says, and no others', () => {
    const settings = parseSettings(schema, { ...whole, MAX_SEND_RATE: '7', PATH: '/bin', EMPTY: '' })
    expect(settings).toEqual({ TABLE_NAME: 'jobs', MAX_SEND_RATE: 7, MODE: 'safe' })
    expectTypeOf(settings.MAX_SEND_RATE).toEqualTypeOf<number>()
  })

  it.each([
    [{}, 'TABLE_NAME is not set; it must be of the kind "string"'],
    [{ TABLE_NAME: '' }, 'TABLE_NAME must not be empty; it must be of the kind "string"'],
    [{ ...whole, MAX_SEND_RATE: '' }, 'MAX_SEND_RATE must not be empty'],
    [{ ...whole, SECRET: '' }, 'SECRET must not be empty'],
    [{ ...whole, MAX_SEND_RATE: '0' }, 'MAX_SEND_RATE must be at least 1'],
    [{ ...whole, MAX_SEND_RATE: '26' }, 'MAX_SEND_RATE must be at most 25'],
    [{ ...whole, MAX_SEND_RATE: 'many' }, 'MAX_SEND_RATE must be of the kind "number"'],
    [{ ...whole, MODE: 'slow' }, 'MODE must be one of fast, safe'],
    [{ ...whole, SECRET: 'abc' }, 'SECRET must have at least 8 characters'],
    [{ SECRET: 'abc' }, /^wrong settings: TABLE_NAME .*; SECRET must/],
  ])('says what is wrong with %j', (environment, problem) => {
    expect(problemWith(environment as Record<string, string>)).toMatch(problem)
  })

  it("says it in the schema's own words where it has some", () => {
    const named = full.object({ URL: full.url({ error: 'must be the address of the queue' }) })
    expect(() => parseSettings(named, { URL: 'x' })).toThrow('URL must be the address of the queue')
    expect(() => parseSettings(full.object({ URL: full.url() }), { URL: 'x' })).toThrow('the kind "url"')
  })

  it('never tells a value, even if the schema does', () => {
    const telling: StandardSchemaV1<unknown, never> = {
      '~standard': {
        version: 1,
        vendor: 'test',
        validate: () => ({
          issues: [{ message: 'Expected 9 but received "hunter2"', path: [{ key: 'PIN' }] }],
        }),
      },
    }
    expect(() => parseSettings(telling, { PIN: 'hunter2' })).toThrow(
      'wrong settings: PIN must fit: Expected 9 but received "…"',
    )
  })

  it('takes no schema that must be waited for', () => {
    const slow = full.object({ A: full.string().refine(async () => true) })
    expect(() => parseSettings(slow, { A: 'a' })).toThrow('must not be asynchronous')
  })
})
