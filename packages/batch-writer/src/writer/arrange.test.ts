import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { KeyedConflict } from '../conflict.ts'
import { textKeys } from '../key-form.ts'
import { type ArrangedRows, arrange, type NumberedRows } from './arrange.ts'

interface Visit {
  readonly id: number | string | bigint | null
  readonly visits: number | bigint | null
  readonly name?: string
}

const increment: KeyedConflict = { mode: 'increment', key: ['id'], columns: ['visits'], update: ['name'] }

function arranged(rows: readonly Visit[], conflict: KeyedConflict = increment) {
  return arrangedAll({ rows, numbers: rows.map((_, i) => i + 1) }, conflict)
}

/** All parts, in the order that they are written in. */
function arrangedAll<Row extends object>(
  given: NumberedRows<Row>,
  conflict: KeyedConflict,
): ArrangedRows<Row> {
  const parts = arrange(given, conflict, textKeys)
  const [first] = parts
  if (parts.length === 1 && first) return first
  return {
    rows: parts.flatMap(part => part.rows),
    numbers: parts.flatMap(part => part.numbers),
    merged: first?.merged ?? new Map(),
    distinct: false,
  }
}

describe('arrange', () => {
  it('leaves rows alone whose keys ascend', () => {
    const rows = [
      { id: 1, visits: 1 },
      { id: 2, visits: 1 },
    ]
    expect(arranged(rows).rows).toBe(rows)
  })

  it('sorts by key and keeps the numbers with their rows', () => {
    const { rows, numbers } = arranged([
      { id: 10, visits: 1 },
      { id: 9, visits: 2 },
      { id: 11, visits: 3 },
    ])
    expect(rows.map(row => row.id)).toEqual([9, 10, 11])
    expect(numbers).toEqual([2, 1, 3])
  })

  it.each([
    ['bytes that are no text', Buffer.from([0xff]), Buffer.from([0xfe])],
    ['objects', { a: 1 }, { a: 2 }],
    ['lists', ['a,b'], ['a', 'b']],
  ])('keeps rows apart whose keys are different %s', (_, one, other) => {
    const conflict: KeyedConflict = { mode: 'ignore', key: ['id'] }
    const rows = [{ id: one }, { id: other }]
    const { rows: kept, merged } = arrangedAll({ rows, numbers: [1, 2] }, conflict)
    expect([kept.length, merged.size]).toEqual([2, 0])
  })

  it('merges rows whose keys are the same bytes', () => {
    const rows = [{ id: Buffer.from([0xff, 1]) }, { id: new Uint8Array([0xff, 1]) }]
    const { rows: kept } = arrangedAll({ rows, numbers: [1, 2] }, { mode: 'ignore', key: ['id'] })
    expect(kept).toHaveLength(1)
  })

  it('merges rows of one key: the sum of what is added, the last of what is set', () => {
    const { rows, merged } = arranged([
      { id: 1, visits: 2, name: 'first' },
      { id: 2, visits: 1, name: 'other' },
      { id: 1, visits: null, name: 'second' },
      { id: 1, visits: 3n, name: 'third' },
    ])
    expect(rows).toEqual([
      { id: 1, visits: 5, name: 'third' },
      { id: 2, visits: 1, name: 'other' },
    ])
    expect(merged.get(rows[0] as Visit)?.numbers).toEqual([1, 3, 4])
  })

  it('keeps the first of one key where stored rows are kept, the last where they are updated', () => {
    const rows = [
      { id: 1, visits: 1, name: 'first' },
      { id: 1, visits: 2, name: 'last' },
    ]
    expect(arranged(rows, { mode: 'ignore', key: ['id'] }).rows).toEqual([rows[0]])
    expect(arranged(rows, { mode: 'update', key: ['id'], columns: ['visits', 'name'] }).rows).toEqual([
      rows[1],
    ])
  })

  it('takes rows without a key for different ones, and the empty text for a key', () => {
    expect(arranged([null, null].map(id => ({ id, visits: 1 }))).rows).toHaveLength(2)
    expect(arranged(['', ''].map(id => ({ id, visits: 1 }))).rows).toHaveLength(1)
  })

  it('leaves sums to the database that would not be exact here', () => {
    expect(arranged([0.1, 0.2].map(visits => ({ id: 1, visits }))).rows).toHaveLength(2)
  })

  it('writes rows of one key that is spelled in two ways one after the other, in the order of the records', () => {
    const conflict: KeyedConflict = { mode: 'update', key: ['id'], columns: ['visits'] }
    const rows = [
      { id: '7', visits: 1 },
      { id: 3, visits: 2 },
      { id: 7, visits: 3 },
    ]
    const parts = arrange({ rows, numbers: [1, 2, 3] }, conflict, textKeys)
    expect(parts.map(part => part.numbers)).toEqual([[2, 1], [3]])
  })

  it('keeps the order of the records where only the database knows which keys are equal', () => {
    const rows = [{ id: ['b'] }, { id: ['a'] }]
    const parts = arrange({ rows, numbers: [1, 2] }, { mode: 'ignore', key: ['id'] }, textKeys)
    expect(parts).toMatchObject([{ numbers: [1, 2], distinct: false }])
  })

  it('sorts texts, also behind a column that is the same in all rows', () => {
    const conflict: KeyedConflict = { mode: 'ignore', key: ['campaign', 'email'] }
    const emails = ['b@x', 'a@x', 'c@x', 'a@x', 'é@x']
    const rows = emails.map(email => ({ campaign: 7, email }))
    const { rows: out, numbers } = arrangedAll({ rows, numbers: [1, 2, 3, 4, 5] }, conflict)
    expect(out.map(row => row.email)).toEqual(['a@x', 'b@x', 'c@x', 'é@x'])
    expect(numbers).toEqual([2, 1, 3, 5])
  })

  it('does not confuse keys of several columns', () => {
    const conflict: KeyedConflict = { mode: 'ignore', key: ['a', 'b'] }
    const rows = [
      { a: 'x', b: 'yz' },
      { a: 'xy', b: 'z' },
      { a: 'x', b: 'yz' },
    ]
    expect(arrangedAll({ rows, numbers: [1, 2, 3] }, conflict).rows).toHaveLength(2)
  })

  it('loses no row and no sum, whatever the order', () => {
    const visit = fc.record({
      id: fc.oneof(fc.integer({ min: 0, max: 5 }), fc.constant(null), fc.constantFrom('a', 'b')),
      visits: fc.integer({ min: -5, max: 5 }),
    })
    fc.assert(
      fc.property(fc.array(visit, { maxLength: 30 }), rows => {
        const { rows: out, numbers, merged } = arranged(rows)
        const total = (visits: readonly Visit[]) => visits.reduce((sum, row) => sum + Number(row.visits), 0)
        expect(total(out)).toBe(total(rows))
        const represented = out.flatMap((row, i) => merged.get(row)?.numbers ?? [Number(numbers[i])])
        expect(represented.toSorted((a, b) => a - b)).toEqual(rows.map((_, i) => i + 1))
        const keys = out.map(row => row.id).filter(id => id !== null)
        expect(new Set(keys).size).toBe(keys.length)
      }),
    )
  })
})
