import * as fc from 'fast-check'
import type { Delimiter, Dialect, Encoding, Newline } from '../src/dialect/dialect.ts'
import { encode } from './encode.ts'

/** A CSV file as text and bytes, with the dialect that it is written in. */
export interface RandomCsv {
  readonly dialect: Dialect
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
  readonly text: string
  readonly bytes: Buffer
}

/** Characters that have caused trouble: marks, and letters whose bytes look like marks or span several. */
const alphabets: Record<Encoding, readonly string[]> = {
  'UTF-8': ['é', '日', '本', '𠮷', '🎉', 'ｱ', '\u2028'],
  'UTF-16LE': ['é', '日', '、', '∊', '𠮷', '🎉', 'Ċ', '∀', 'Ⰰ', '⨊'],
  'UTF-16BE': ['é', '日', '、', '∊', '𠮷', '🎉', 'Ċ', '∀', 'Ⰰ', '⨊'],
  Shift_JIS: ['ソ', '表', 'ポ', 'ー', 'ア', '①', '髙', 'ｱ', 'ﾟ', '～', '十', '能'],
  'EUC-JP': ['ソ', '表', 'あ', '本', 'ｱ', '語'],
  'ISO-2022-JP': ['ソ', '表', '、', '，', '◆', '本'],
  'ISO-8859-1': ['é', 'ÿ', 'ü', '\u00a0', 'ß'],
  'Windows-1252': ['é', 'ÿ', '€', '’', 'Ÿ'],
}

const common = ['a', 'Z', '0', ' ', '"', '""', ',', ';', '|', '\t', '\n', '\r\n', "'", '=', '\\', 'word']

const encodings = Object.keys(alphabets) as Encoding[]

export const randomDialect: fc.Arbitrary<Dialect> = fc
  .record({
    encoding: fc.constantFrom(...encodings),
    bom: fc.boolean(),
    delimiter: fc.constantFrom<Delimiter>(',', ';', '\t', '|'),
    newline: fc.constantFrom<Newline>('LF', 'CRLF', 'CRCRLF', 'CR'),
  })
  .map(({ bom, ...rest }) => ({
    ...rest,
    newline:
      rest.newline === 'CRCRLF' && rest.encoding.startsWith('UTF-16') ? ('CRLF' as const) : rest.newline,
    quote: '"' as const,
    header: true,
    bomBytes: !bom || !rest.encoding.startsWith('UTF') ? 0 : rest.encoding === 'UTF-8' ? 3 : 2,
  }))

export const randomCsv: fc.Arbitrary<RandomCsv> = csvOf(25)

/** A file of a few rows, for tests that try every offset in it. */
export const smallCsv: fc.Arbitrary<RandomCsv> = csvOf(4)

function csvOf(maxRows: number): fc.Arbitrary<RandomCsv> {
  return randomDialect.chain(dialect =>
    fc
      .record({
        columns: fc.integer({ min: 1, max: 4 }),
        rows: fc.array(
          fc.array(
            fc.record({
              value: fc
                .array(fc.constantFrom(...common, ...alphabets[dialect.encoding]), { maxLength: 8 })
                .map(parts => parts.join('')),
              quoted: fc.boolean(),
            }),
            { minLength: 4, maxLength: 4 },
          ),
          { maxLength: maxRows },
        ),
        emptyLines: fc.array(fc.nat({ max: 25 }), { maxLength: 3 }),
        lastNewline: fc.boolean(),
      })
      .map(({ columns, rows, emptyLines, lastNewline }) => {
        const lineEnd = { LF: '\n', CRLF: '\r\n', CRCRLF: '\r\r\n', CR: '\r' }[dialect.newline]
        const names = Array.from({ length: columns }, (_, index) => `c${index}`)
        const cells = rows.map(row => row.slice(0, columns))
        const lines = [
          names.join(dialect.delimiter),
          ...cells.map(row => row.map(cell => write(cell, dialect, columns)).join(dialect.delimiter)),
        ]
        for (const at of emptyLines) if (at > 0 && at <= lines.length) lines.splice(at, 0, '')
        const textWith = (end: string) => lines.join(end) + (lastNewline ? end : '')
        const bom = dialect.bomBytes === 0 ? '' : '\ufeff'
        return {
          dialect,
          columns: names,
          rows: cells.map(row => row.map(cell => cell.value)),
          text: textWith(lineEnd === '\r\r\n' ? '\r\n' : lineEnd),
          bytes: encode(bom + textWith(lineEnd), dialect.encoding),
        }
      }),
  )
}

/** Quotes where the RFC demands it, where the reader would take a CR off, and where the coin says so. */
function write(cell: { value: string; quoted: boolean }, dialect: Dialect, columns: number): string {
  const { value, quoted } = cell
  const needed = /["\n\r]/.test(value) || value.includes(dialect.delimiter) || (columns === 1 && value === '')
  return needed || quoted ? `"${value.replaceAll('"', '""')}"` : value
}
