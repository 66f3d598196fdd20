import type { Redact } from '@stepwright/task/lambda'
import fc from 'fast-check'
import { describe, expect, expectTypeOf, it } from 'vitest'
import * as z from 'zod/mini'
import { createRedactor } from './redact.ts'

describe('createRedactor', () => {
  it('hides what paths name', () => {
    const redact = createRedactor({ paths: ['userRecord.email', 'items.*.token', '**.password', 'a.**.z'] })
    expect(
      redact({
        userRecord: { email: 'a@b.c', name: 'Ann' },
        items: [{ token: 't', id: 1 }, { id: 2 }],
        password: 'p',
        deep: { er: [{ password: { old: 'o' } }] },
        a: { z: 1, b: { c: { z: 2, y: 3 } } },
        email: 'kept',
      }),
    ).toEqual({
      userRecord: { email: '[redacted]', name: 'Ann' },
      items: [{ token: '[redacted]', id: 1 }, { id: 2 }],
      password: '[redacted]',
      deep: { er: [{ password: '[redacted]' }] },
      a: { z: '[redacted]', b: { c: { z: '[redacted]', y: 3 } } },
      email: 'kept',
    })
  })

  it('hides what a schema marks', () => {
    const email = z.string().register(z.globalRegistry, { sensitive: true })
    const user = z.object({
      id: z.string(),
      email,
      contacts: z.array(z.object({ phone: z.string().register(z.globalRegistry, { sensitive: true }) })),
      nick: z.optional(email),
      secrets: z.record(z.string(), email),
      either: z.union([z.number(), z.object({ email })]),
      pair: z.tuple([z.string(), email]),
    })
    const redact = createRedactor({ schema: z.toJSONSchema(user) as Record<string, unknown>, mask: '***' })
    expect(
      redact({
        id: '1',
        email: 'a@b.c',
        contacts: [{ phone: '1' }, { phone: '2' }],
        nick: 'n',
        secrets: { x: 'y' },
        either: { email: 'e' },
        pair: ['open', 'closed'],
        other: 'kept',
      }),
    ).toEqual({
      id: '1',
      email: '***',
      contacts: [{ phone: '***' }, { phone: '***' }],
      nick: '***',
      secrets: { x: '***' },
      either: { email: '***' },
      pair: ['open', '***'],
      other: 'kept',
    })
  })

  it('follows references, in circles too', () => {
    const redact = createRedactor({
      schema: {
        $ref: '#/$defs/tree',
        $defs: {
          tree: {
            properties: { pin: { writeOnly: true }, children: { items: { $ref: '#/$defs/tree' } } },
            allOf: [{ $ref: '#/$defs/tree' }],
          },
        },
      },
    })
    expect(redact({ pin: 1, children: [{ pin: 2, children: [{ pin: 3, name: 'x' }] }] })).toEqual({
      pin: '[redacted]',
      children: [{ pin: '[redacted]', children: [{ pin: '[redacted]', name: 'x' }] }],
    })
  })

  it('leaves the original alone, and what it does not know as it is', () => {
    const at = new Date(0)
    const value = { password: 'p', at, none: undefined, nil: null }
    const redact = createRedactor({ paths: ['**.password', 'none'] })
    expect(redact(value)).toEqual({ password: '[redacted]', at, none: undefined, nil: null })
    expect(value.password).toBe('p')
    for (const plain of [undefined, null, 1, 'text', true]) expect(redact(plain)).toBe(plain)
  })

  it('survives circles and hostile keys', () => {
    const circle: Record<string, unknown> = { password: 'p' }
    circle['self'] = circle
    const redact = createRedactor({ paths: ['**.password'], schema: { properties: {} } })
    expect(redact(circle)).toEqual({ password: '[redacted]', self: '[circular]' })
    const hostile = JSON.parse('{"__proto__": {"password": 1}, "constructor": {"password": 2}}')
    expect(JSON.stringify(redact(hostile))).toBe(
      '{"__proto__":{"password":"[redacted]"},"constructor":{"password":"[redacted]"}}',
    )
  })

  it('looks into what an object would become in JSON', () => {
    const redact = createRedactor({ paths: ['user.email'] })
    const user = { toJSON: () => ({ email: 'a@b.c', id: 1 }) }
    expect(redact({ user })).toEqual({ user: { email: '[redacted]', id: 1 } })
  })

  it('shows nothing of a value that cannot be read', () => {
    const redact = createRedactor({ paths: ['email'] })
    const hostile = {
      get name() {
        throw new Error('no')
      },
    }
    expect(redact({ hostile, email: 'a@b.c' })).toBe('[redacted]')
  })

  it('lets no secret through, wherever it is', () => {
    const redact = createRedactor({ paths: ['**.secret'] })
    const tree = fc.letrec(tie => ({
      node: fc.oneof(
        { maxDepth: 5 },
        fc.string(),
        fc.array(tie('node')),
        fc.dictionary(fc.constantFrom('a', 'b', 'secret'), tie('node')),
      ),
    })).node
    fc.assert(
      fc.property(tree, value => {
        JSON.stringify(redact(value), (key, inner) => {
          if (key === 'secret') expect(inner).toBe('[redacted]')
          return inner
        })
      }),
    )
  })

  it('refuses a path that can never match', () => {
    expect(() => createRedactor({ paths: ['a..b'] })).toThrow('"a..b" has an empty part')
  })

  it("fits the Lambda adapter's option for its log", () => {
    expectTypeOf(createRedactor).returns.toExtend<Redact>()
  })
})
