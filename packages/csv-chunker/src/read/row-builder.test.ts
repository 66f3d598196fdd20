import { describe, expect, it } from 'vitest'
import { createBytesSource } from '../source/byte-source.ts'
import { readRows } from './read-rows.ts'

async function firstRow(csv: string): Promise<Record<string, string> | undefined> {
  for await (const { rows } of readRows(createBytesSource(Buffer.from(csv)))) return rows[0]
  return undefined
}

describe('rows', () => {
  it('keep names that are code, whatever they would do', async () => {
    const names = [
      'constructor',
      '__proto__',
      'a"b',
      "c'd",
      'e`$f',
      'g\\h',
      '\u2028',
      '}; throw 1; //',
      '日本',
    ]
    const quoted = names.map(name => `"${name.replaceAll('"', '""')}"`)
    const row = await firstRow(`${quoted.join(',')}\n${names.map((_, index) => index).join(',')}\n`)
    expect(Object.entries(row ?? {})).toEqual(names.map((name, index) => [name, String(index)]))
    expect(Object.getPrototypeOf(row)).toBe(Object.prototype)
  })

  it('may have hundreds of columns', async () => {
    const names = Array.from({ length: 700 }, (_, index) => (index === 3 ? '__proto__' : `c${index}`))
    const row = await firstRow(`${names.join(',')}\n${names.map((_, index) => `"${index}"""`).join(',')}\n`)
    expect(Object.entries(row ?? {})).toEqual(names.map((name, index) => [name, `${index}"`]))
    expect(Object.getPrototypeOf(row)).toBe(Object.prototype)
  })

  it('keep fields of two characters as they are, in a column that is full of them', async () => {
    const values = ['00', '09', '47', '99', '/:', ':0', '0:', ' 1', '-1', 'é1', '日本', 'JP', '7', '123', '']
    const csv = `a,b\n${['11', ...values].map(value => `x,${value}\n`.repeat(40)).join('')}`
    const found = new Set<string | undefined>()
    for await (const { rows } of readRows(createBytesSource(Buffer.from(csv)))) {
      for (const row of rows) found.add(row['b'])
    }
    expect([...found]).toEqual(['11', ...values])
  })
})
