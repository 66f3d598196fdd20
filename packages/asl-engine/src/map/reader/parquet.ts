import { isObject, type Json, throughJson } from '../../json.ts'
import { limitWhole } from './decompress.ts'
import { itemReaderFailure } from './item-reader-failure.ts'

const rowsAtOnce = 1000

/** Rows as objects by column; the file has to fit into memory. */
export async function* readParquet(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<readonly Json[]> {
  const { parquetMetadataAsync, parquetReadObjects } = await loadHyparquet()
  const chunks: Uint8Array[] = []
  for await (const chunk of limitWhole(bytes)) chunks.push(chunk)
  const whole = Buffer.concat(chunks)
  const file = {
    byteLength: whole.length,
    slice: (start: number, end: number = whole.length) =>
      whole.buffer.slice(whole.byteOffset + start, whole.byteOffset + end) as ArrayBuffer,
  }
  try {
    const rows = Number((await parquetMetadataAsync(file)).num_rows)
    for (let rowStart = 0; rowStart < rows; rowStart += rowsAtOnce) {
      const rowEnd = Math.min(rows, rowStart + rowsAtOnce)
      const objects = await parquetReadObjects({ file, rowStart, rowEnd })
      yield objects.map(row => throughJson(toJson(row)))
    }
  } catch (error) {
    throw itemReaderFailure(`Attempting to read an invalid Parquet file: ${(error as Error).message}`)
  }
}

/** An optional peer, because few workflows read such files. */
async function loadHyparquet(): Promise<typeof import('hyparquet')> {
  try {
    return await import('hyparquet')
  } catch {
    throw itemReaderFailure("Parquet files can be read when the package 'hyparquet' is installed.")
  }
}

/** Long integers are numbers where a number can hold them, and text otherwise; bytes are text. */
function toJson(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value.toString()
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8')
  if (Array.isArray(value)) return value.map(toJson)
  if (!isObject(value) || value instanceof Date) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, toJson(item)]))
}
