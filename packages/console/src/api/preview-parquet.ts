import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { GetObjectCommand, HeadObjectCommand, type S3Client } from '@aws-sdk/client-s3'
import {
  type AsyncBuffer,
  type Compressors,
  parquetMetadataAsync,
  parquetReadObjects,
  parquetSchema,
} from 'hyparquet'
import type { ObjectPreview } from '../protocol.ts'

const previewRows = 200
/** A group of rows is read as a whole. */
const maxGroupBytes = 64 * 1024 * 1024

const limit = { maxOutputLength: maxGroupBytes }

/** Snappy, which Node does not have, is in the reader. */
const compressors: Compressors = {
  ZSTD: input => zstdDecompressSync(input, limit),
  GZIP: input => gunzipSync(input, limit),
  BROTLI: input => brotliDecompressSync(input, limit),
}

/** The first rows, read from the parts of the object that they are in. */
export async function previewParquet(s3: S3Client, Bucket: string, Key: string): Promise<ObjectPreview> {
  const { ContentLength: byteLength = 0 } = await s3.send(new HeadObjectCommand({ Bucket, Key }))
  if (byteLength === 0) return { kind: 'none', note: 'The object is empty.' }
  const file: AsyncBuffer = {
    byteLength,
    async slice(start, end = byteLength) {
      const Range = `bytes=${start}-${end - 1}`
      const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key, Range }))
      return new Uint8Array((await Body?.transformToByteArray()) ?? []).buffer
    },
  }
  try {
    const metadata = await parquetMetadataAsync(file)
    const count = Number(metadata.num_rows)
    const size = Number(metadata.row_groups[0]?.total_byte_size ?? 0)
    if (size > maxGroupBytes)
      return { kind: 'none', note: `${count.toLocaleString('en')} rows, in groups too large to look into.` }
    const columns = parquetSchema(metadata).children.map(({ element }) => element.name)
    const rows = await parquetReadObjects({
      file,
      metadata,
      compressors,
      rowEnd: Math.min(count, previewRows),
    })
    return {
      kind: 'rows',
      columns,
      rows: rows.map(row => columns.map(column => toText(row[column]))),
      note: rows.length < count ? `The first ${rows.length} of ${count.toLocaleString('en')} rows.` : '',
    }
  } catch (error) {
    return { kind: 'none', note: `The file cannot be read as Parquet: ${(error as Error).message}` }
  }
}

function toText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'object'
    ? JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? String(inner) : inner))
    : String(value)
}
