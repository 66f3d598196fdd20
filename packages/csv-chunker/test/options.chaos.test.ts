import { chaosRounds } from '@stepwright/bench/chaos'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createBytesSource, readRows, splitToManifest, splitToObjects, validate } from '../src/index.ts'

const usualRounds = 30

const csv = 'id,name\n1,"a ""b"""\n2,日本\n\n3,\n'
const names = [
  ...[
    'dialect',
    'header',
    'limits',
    'simd',
    'showText',
    'rowsPerChunk',
    'maxChunkBytes',
    'maxChunks',
    'digest',
  ],
  ...['maxRows', 'blockBytes', 'concurrency', 'columns', 'otherColumns', 'expectedColumns', 'formulas'],
  ...['requireRows', 'maxProblems', 'firstRow', 'rowsAs', 'reasonColumn', 'encoding', 'delimiter', 'quote'],
  ...['newline', 'maxRowBytes', 'maxColumns', 'maxFileBytes', 'maxCompressionRatio', 'maxDecompressedBytes'],
]
const value: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(0, 1, 2, 3, 7, 64, 4096, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31, 1e21),
  fc.constantFrom(
    '',
    ',',
    ';',
    '"',
    'LF',
    'CR',
    'cr',
    'UTF-8',
    'Shift_JIS',
    'crc-32',
    'md5',
    'none',
    'arrays',
  ),
  fc.constantFrom(true, false, null, undefined, [], {}),
)
const given = fc.dictionary(
  fc.constantFrom(...names),
  fc.oneof(
    { weight: 3, arbitrary: value },
    { weight: 1, arbitrary: fc.dictionary(fc.constantFrom(...names), value) },
  ),
  { maxKeys: 3 },
)

/** What is refused must be refused for its options or for the file, and what is read must be the file. */
async function rowsOf(call: () => Promise<number>): Promise<number | 'refused'> {
  try {
    return await call()
  } catch (error) {
    const { name, message } = error as Error
    const isRefusal =
      name === 'CSVValidationError' || (name === 'TypeError' && message.startsWith('options of '))
    if (!isRefusal) throw error
    return 'refused'
  }
}

describe('whatever the options', () => {
  it('they are refused, or the file is read as they say: no hang, no silent default', async () => {
    const source = createBytesSource(Buffer.from(csv))
    await fc.assert(
      fc.asyncProperty(given, async options => {
        const stored: number[] = []
        const read = await rowsOf(async () => {
          let rows = 0
          for await (const batch of readRows(source, options)) rows += batch.rows.length
          return rows
        })
        const split = await rowsOf(async () => (await splitToManifest(source, options)).rowCount)
        const objects = await rowsOf(async () => {
          const target = { put: async (_: string, bytes: Uint8Array) => void stored.push(bytes.length) }
          return (await splitToObjects(source, target, { id: 'x', ...options })).rowCount
        })
        await rowsOf(async () => (await validate(source, options)).rowCount)
        if (Object.keys(options).some(name => !names.includes(name))) expect(read).toBe('refused')
        if (split !== 'refused' && objects !== 'refused') expect(objects).toBe(split)
      }),
      { numRuns: chaosRounds(usualRounds) * 20 },
    )
  }, 600_000)
})
