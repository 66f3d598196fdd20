import { describe, expect, it } from 'vitest'
import { sampleBytes } from '../src/source/open-content.ts'
import { rowsOf } from './rows-of.ts'

describe('a first record', () => {
  it.each(['\n', '\r\n', '\r', '\r\r\n'])(
    'may end at the end of the sample, or behind it, with %j',
    async end => {
      for (let length = sampleBytes - 4; length < sampleBytes + 4; length += 1) {
        const name = 'x'.repeat(length - 2)
        const csv = `${name},b${end}1,2${end}3,4${end}`
        expect((await rowsOf(csv)).map(row => Object.values(row))).toEqual([
          ['1', '2'],
          ['3', '4'],
        ])
        const rows = await rowsOf(csv, { dialect: { header: false } })
        expect(rows.map(({ column2 }) => column2)).toEqual(['b', '2', '4'])
      }
    },
  )
})
