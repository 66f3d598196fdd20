import { toCsvError } from '../csv-problem.ts'
import { type CsvLimits, defaultLimits } from '../limits.ts'
import type { ByteSource, ByteSourceFacts, OpenOptions } from '../source/byte-source.ts'
import type { Compression } from '../source/decompress.ts'
import { openContent, readPart, sampleBytes } from '../source/open-content.ts'
import type { DialectOverrides } from './detect.ts'
import { readStart, type SourceStart } from './source-start.ts'

export interface OpenCsvOptions {
  /** What is known of the dialect; the rest is detected. The header is assumed unless it is denied. */
  readonly dialect?: DialectOverrides
  /** Decides by the first record whether it is a header, where `dialect.header` does not say. @default it is one */
  readonly header?: (firstRecord: readonly string[]) => boolean
  readonly limits?: CsvLimits
  readonly signal?: AbortSignal | undefined
  /** Off for the plain scanner. @default true */
  readonly simd?: boolean
  /** Whether errors show text as it is instead of its shape. @default false */
  readonly showText?: boolean
}

export interface OpenedCsv extends SourceStart {
  readonly compression: Compression | undefined
  /** Of the source as it is stored. */
  readonly size: number | undefined
  readonly etag: string | undefined
  readonly versionId: string | undefined
}

const tailBytes = 16 * 1024

/**
 * Opens a source at its first data row: decompressed, its dialect detected, its header read. What is read now
 * and later is of the version that `facts` tells of.
 */
export async function openCsv(
  source: ByteSource,
  options: OpenCsvOptions & Pick<OpenOptions, 'readsHere'> = {},
  facts?: ByteSourceFacts,
): Promise<OpenedCsv> {
  const { dialect: overrides = {}, header, limits: given = {} } = options
  const { readsHere, signal, showText = false } = options
  const limits = { ...defaultLimits, ...given }
  const { size, etag, versionId } = facts ?? (await source.facts(signal))
  // Of nothing, no range can be asked for.
  if (size === 0) throw toCsvError('EMPTY_FILE', 'the file is empty')
  if (size !== undefined && size > limits.maxFileBytes) {
    throw toCsvError('FILE_TOO_LARGE', `the file has ${size} bytes, more than ${limits.maxFileBytes}`)
  }
  const { reader, compression } = await openContent(source, limits, { etag, readsHere, signal })
  try {
    const readTail = async (): Promise<Buffer | undefined> =>
      compression || size === undefined || size < sampleBytes + tailBytes
        ? undefined
        : readPart(
            await source.open({ offset: size - tailBytes, length: tailBytes, etag, signal }),
            tailBytes,
          )
    const start = await readStart(reader, {
      overrides,
      decideHeader: header,
      readTail,
      showText,
      signal,
      ...limits,
    })
    return { ...start, compression, size, etag, versionId }
  } catch (error) {
    await reader.close()
    throw error
  }
}
