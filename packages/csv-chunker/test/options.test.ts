import { describe, expect, it } from 'vitest'
import {
  createBytesSource,
  detect,
  lintForItemReader,
  readChunk,
  readRows,
  splitToManifest,
  splitToObjects,
  validate,
} from '../src/index.ts'
import { splitCsv, validateCsv } from '../src/tasks.ts'

const source = createBytesSource(Buffer.from('a,b\n1,2\n3,4\n'))
const nowhere = { put: async () => {} }

/** Every way to give options, with what must be there. */
const calls: Readonly<Record<string, (options: object) => Promise<unknown>>> = {
  readRows: options => readRows(source, options).next(),
  readChunk: async options => {
    const manifest = await splitToManifest(source)
    return readChunk(source, manifest, manifest.chunks[0] as never, options).next()
  },
  lintForItemReader: options => lintForItemReader(source, options),
  splitToManifest: options => splitToManifest(source, options),
  splitToObjects: options => splitToObjects(source, nowhere, { id: 'x', ...options }),
  validate: options => validate(source, options),
  splitCsv: async options => splitCsv(options),
  validateCsv: async options => validateCsv(options),
}

describe.each(Object.entries(calls))('the options of %s', (name, call) => {
  it.each([
    { limits: { maxRowBytes: Number.NaN } },
    { limits: { maxRowBytes: Number.POSITIVE_INFINITY } },
    { limits: { maxRowByte: 5 } },
    { simd: 'yes' },
    { signal: {} },
    { misspelled: true },
  ])('are refused where they are impossible or unknown: %j', async options => {
    await expect(call(options)).rejects.toThrow(TypeError)
    await expect(call(options)).rejects.toThrow(`options of ${name}: `)
  })

  it('may be undefined', async () => {
    await call({ limits: undefined, simd: undefined, signal: undefined, showText: undefined })
  })
})

describe('options that would hang or be ignored', () => {
  it.each<[keyof typeof calls, object]>([
    ['splitToManifest', { blockBytes: 0 }],
    ['splitToObjects', { blockBytes: 0.5 }],
    ['splitToObjects', { concurrency: 0 }],
    ['splitToObjects', { id: '' }],
    ['splitToManifest', { digest: 'md5' }],
    ['splitToManifest', { rowsPerChunk: 0 }],
    ['splitToManifest', { rowsPerChunk: 1.5 }],
    ['splitToManifest', { maxChunkBytes: Number.NaN }],
    ['splitToManifest', { maxRows: -1 }],
    ['readRows', { dialect: { newline: 'cr' } }],
    ['readRows', { dialect: { delimiter: '' } }],
    ['readRows', { dialect: { delimiter: ':' } }],
    ['readRows', { dialect: { encoding: 'utf8' } }],
    ['readRows', { dialect: { quote: '`' } }],
    ['readRows', { dialect: { header: 'no' } }],
    ['readRows', { dialect: { seperator: ';' } }],
    ['readRows', { firstRow: 0 }],
    ['readRows', { rowsAs: 'lists' }],
    ['readRows', { header: true }],
    ['validate', { maxProblems: 0 }],
    ['validate', { formulas: 'refuse' }],
    ['validate', { columns: { email: { alias: ['mail'] } } }],
    ['validate', { expectedColumns: 'a,b' }],
    ['validateCsv', { split: { rowsPerChunk: 0 } }],
    ['validateCsv', { onInvalid: 'fail' }],
    ['splitCsv', { chunksAs: 'files' }],
    ['lintForItemReader', { maxFindings: 0 }],
  ])('%s refuses %j', async (name, options) => {
    await expect(calls[name]?.(options)).rejects.toThrow(TypeError)
  })

  it('detect refuses impossible overrides, and takes what it found', async () => {
    await expect(detect(source, { newline: 'lf' as never })).rejects.toThrow(
      'options of detect: newline must be one of "LF", "CRLF", "CRCRLF", "CR"',
    )
    expect((await readRows(source, { dialect: await detect(source) }).next()).value?.rows).toHaveLength(2)
  })
})
