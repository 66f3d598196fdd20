import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readRows } from '../read/read-rows.ts'
import { createBytesSource } from '../source/byte-source.ts'
import { formatCsv } from './format-csv.ts'
import { disarmFormula, rearmFormula } from './formula.ts'

async function format(...given: Parameters<typeof formatCsv>): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const part of formatCsv(...given)) parts.push(part)
  return Buffer.concat(parts)
}

describe('formatCsv', () => {
  it('begins with a byte order mark and quotes what needs it', async () => {
    const csv = await format(
      ['名前', 'note'],
      [
        ['a,b', 'say "hi"'],
        [' x', 'plain'],
      ],
    )
    expect(csv.toString()).toBe('\uFEFF名前,note\r\n"a,b","say ""hi"""\r\n" x",plain\r\n')
  })

  it.each(['=1+1', '+81', '-5', '@SUM(A1)', '＝1', '\t=1', "'=1"])('disarms %j', async field => {
    const line = (await format(['a'], [[field]])).toString().split('\r\n')[1]
    expect(line?.replace('"', '')).toMatch(/^'/)
  })

  it.each([
    ['x;=HYPERLINK("http://evil.example")', ';'],
    ['x\t=1', '\t'],
    ['x|+1', '|'],
    ['x;"=1', ';'],
    ["x;'@SUM(A1)", ';'],
    ['x\r\n＝1', ';'],
  ])('holds no formula for a spreadsheet that splits %j at %j', async (field, separator) => {
    const csv = (await format(['a', 'b'], [['1', field]])).toString()
    const cells = csv.split(/\r?\n/).flatMap(line => line.split(separator))
    expect(cells.filter(cell => /^"*[=+\-@＝＋－＠]/.test(cell))).toEqual([])
  })

  it('comes back as it was', async () => {
    const field = fc.string({ unit: fc.constantFrom(...'=\'+-@＝＋,"a\r\n ;|\t5') })
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(field, field), { minLength: 1 }), async rows => {
        const csv = await format(['first', 'second'], rows)
        const overrides = {
          encoding: 'UTF-8',
          delimiter: ',',
          quote: '"',
          newline: 'CRLF',
          header: true,
        } as const
        const found: unknown[] = []
        for await (const batch of readRows(createBytesSource(csv), { dialect: overrides })) {
          for (const { first = '', second = '' } of batch.rows) found.push([first, second].map(rearmFormula))
        }
        expect(found).toEqual(rows)
      }),
    )
  })
})

describe('disarmFormula', () => {
  it('is undone by rearmFormula, and leaves all else alone', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...`='"+-@＝a1\t;|,\r\n`) }), text => {
        expect(rearmFormula(disarmFormula(text))).toBe(text)
      }),
    )
    const harmless = ['a=1', "it's", "'quoted'", '', 'a; b', 'first\r\nsecond', 'a,b;c|d']
    expect(harmless.map(disarmFormula)).toEqual(harmless)
    expect(["'quoted'", 'plain'].map(rearmFormula)).toEqual(["'quoted'", 'plain'])
  })
})
