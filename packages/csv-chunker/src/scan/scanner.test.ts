import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import wabt from 'wabt'
import { defaultDialect, marksOf } from '../dialect/dialect.ts'
import { createRowBuilder } from '../read/row-builder.ts'
import { createPlainScanner } from './plain-scanner.ts'
import { margin, type RecordScanner } from './record-scanner.ts'
import { createRowScanner } from './row-scanner.ts'
import { scannerModule } from './scanner-module.ts'
import { createSimdScanner } from './simd-scanner.ts'
import { scanTextRows } from './text-rows.ts'

/** Few different bytes, so that every combination of marks comes up; long runs, for the quick path. */
const bytes = fc
  .array(
    fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom('"', ',', '\n', '\r', '\r\n', 'a', '""', ',"', '"\n', '",') },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 3000 }).map(length => 'x'.repeat(length)) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 200 }).map(count => 'ab,cd\n'.repeat(count)) },
    ),
    { maxLength: 150 },
  )
  .map(parts => Buffer.from(parts.join('')))

function scanAll(scanner: RecordScanner, data: Buffer, wants: readonly number[], cut: number): unknown[] {
  const seen: unknown[] = []
  scanner.begin(margin)
  for (const [start, end] of [
    [0, cut],
    [cut, data.length],
  ] as const) {
    if (start > 0) scanner.follow(margin, margin + start)
    data.copy(scanner.memory, margin, start, end)
    for (let at = margin, turn = 0; at < margin + end - start; turn += 1) {
      const scan = scanner.scan(at, margin + end - start, wants[turn % wants.length] as number)
      seen.push(scan.fault ? { ...scan, inside: undefined } : scan)
      if (scan.fault) return seen
      at = scan.stop
    }
  }
  return seen
}

describe('the SIMD scanner', () => {
  it('is built from its source', async () => {
    const { parseWat } = await wabt()
    const source = readFileSync(join(import.meta.dirname, '../../simd/scanner.wat'), 'utf8')
    const module = parseWat('scanner.wat', source, { simd: true })
    const { buffer } = module.toBinary({ write_debug_names: false })
    module.destroy()
    expect(Buffer.from(buffer).toString('base64')).toBe(scannerModule)
    expect(buffer.length).toBeLessThan(4096)
  })

  it('finds the records that the plain one finds, for any bytes and any end of a block', () => {
    const newlines = fc.constantFrom('LF' as const, 'CR' as const)
    const wants = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(
        bytes,
        newlines,
        wants,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (data, newline, some, part) => {
          const marks = marksOf({ ...defaultDialect, newline })
          const cut = Math.floor(data.length * part)
          const size = data.length + margin
          const simd = createSimdScanner(marks, size) as RecordScanner
          const found = scanAll(simd, data, some, cut)
          simd.release()
          expect(found).toEqual(scanAll(createPlainScanner(marks, 'UTF-8', size), data, some, cut))
        },
      ),
      { numRuns: 3000 },
    )
  }, 60_000)

  it('finds the fields that the plain one finds, also among characters of several bytes', () => {
    const parts = fc.constantFrom(
      '"',
      ',',
      '\n',
      '\r\n',
      'a',
      '""',
      ',"',
      '"\n',
      '",',
      'é',
      '日本',
      '𠮷',
      '🎉',
      'xxxxxxxxxx',
    )
    const text = fc.array(parts, { maxLength: 120 }).map(all => `${all.join('')}\n`)
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 4 }), (csv, columns) => {
        const data = Buffer.from(csv)
        const names = Array.from({ length: columns }, (_, index) => `c${index}`)
        const build = createRowBuilder(names, defaultDialect)
        const scanner = createRowScanner(defaultDialect, columns, data.length + margin)
        data.copy(scanner.memory, scanner.dataStart)
        const simd = scanner.scan(scanner.dataStart, scanner.dataStart + data.length)
        const built = build({ ...simd, offsets: scanner.offsets, apartEnds: scanner.apartEnds })
        scanner.release()
        const tables = { offsets: new Int32Array(4096), apartEnds: new Int32Array(4096) }
        const plain = scanTextRows(csv, marksOf(defaultDialect), columns, tables)
        const whole = plain.fault === undefined && simd.fault === undefined
        // A fault ends a block of 64 bytes early in one, a row early in the other: what both have must agree.
        const rows = Math.min(plain.rows, simd.rows)
        const bytes = Buffer.byteLength(csv.slice(0, plain.stop))
        if (whole) expect([simd.rows, simd.stop - scanner.dataStart]).toEqual([plain.rows, bytes])
        else expect(simd.fault).toBeDefined()
        expect(built.slice(0, rows)).toEqual(build({ text: csv, ...plain, ...tables, rows }))
      }),
      { numRuns: 3000 },
    )
  }, 60_000)
})
