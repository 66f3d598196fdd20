import { readFileSync } from 'node:fs'
import { DataValidationError, isTaskError } from '@stepwright/errors'
import { canonicalJson } from '@stepwright/errors/json'
import { describe, expect, it } from 'vitest'
import { payloadKey } from './payload-key.ts'

const { namespace, vectors } = JSON.parse(
  readFileSync(new URL('../test/payload-key.vectors.json', import.meta.url), 'utf8'),
) as {
  namespace: string
  vectors: { name: string; payload: unknown; canonical: string; key: string }[]
}

describe('payloadKey', () => {
  it.each(vectors)('keeps its word: $name', ({ payload, canonical, key }) => {
    expect(canonicalJson(payload)).toBe(canonical)
    expect(payloadKey(payload, { namespace })).toBe(key)
  })

  it('takes only what is selected', () => {
    const select = ({ orderId }: { orderId: string; attempt: number }) => orderId
    const first = payloadKey({ orderId: 'A', attempt: 1 }, { namespace: 'charge', select })
    expect(payloadKey({ orderId: 'A', attempt: 2 }, { namespace: 'charge', select })).toBe(first)
    expect(payloadKey({ orderId: 'B', attempt: 1 }, { namespace: 'charge', select })).not.toBe(first)
  })

  it('keeps namespaces apart', () => {
    expect(payloadKey(1, { namespace: 'charge' })).not.toBe(payloadKey(1, { namespace: 'refund' }))
  })

  it.each([undefined, null, ''])('refuses a selection of %j: all such calls would share a key', nothing => {
    const take = () => payloadKey({}, { namespace: 'charge', select: () => nothing })
    expect(take).toThrow(expect.toSatisfy(error => isTaskError(error, DataValidationError)))
  })

  it.each(['\ud800', Number.NaN, 1n, new Map()])('refuses what has no canonical JSON', value => {
    expect(() => payloadKey({ value }, { namespace: 'charge' })).toThrow(
      expect.toSatisfy(error => isTaskError(error, DataValidationError)),
    )
  })

  it('passes on what a getter throws', () => {
    const broken = new RangeError('broken')
    const value = {
      get total() {
        throw broken
      },
    }
    expect(() => payloadKey(value, { namespace: 'charge' })).toThrow(broken)
  })

  it.each(['', 'a#b', 'a b', 'é', 'a'.repeat(257)])('refuses the namespace %j', bad => {
    expect(() => payloadKey(1, { namespace: bad })).toThrow(TypeError)
  })
})
