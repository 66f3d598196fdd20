import { NO_RAW_DATA, PRE_VALIDATION_FAILED } from '@stepwright/errors'
import type { ListedObject, ObjectStore } from '@stepwright/object-store'
import { type Partition, partitionName } from './dataset.ts'
import type { FileType } from './transform-input.ts'

const extensions: Readonly<Record<string, FileType>> = {
  json: 'json',
  jsonl: 'json',
  ndjson: 'json',
  csv: 'csv',
  parquet: 'parquet',
}

export interface RawFiles {
  readonly fileType: FileType
  readonly files: readonly ListedObject[]
}

/**
 * The raw files of a partition, in the order of their keys. Empty ones, and those that Hive and Spark pass over
 * (`_SUCCESS`, `.crc`), do not count.
 * @throws NO_RAW_DATA where there is none; PRE_VALIDATION_FAILED where nobody knows how to read them
 */
export async function findRawFiles(
  raw: Pick<ObjectStore, 'list'>,
  prefixes: readonly string[],
  {
    partition,
    fileType,
    signal,
  }: { partition: Partition; fileType?: FileType | undefined; signal: AbortSignal },
): Promise<RawFiles> {
  const files: ListedObject[] = []
  for (const prefix of prefixes) {
    for await (const object of raw.list(prefix, { signal })) {
      if (object.size > 0 && !isHidden(object.key.slice(prefix.length))) files.push(object)
    }
  }
  if (files.length === 0) {
    throw new NO_RAW_DATA(`there is no raw data for ${partitionName(partition)}`)
  }
  return { fileType: fileType ?? commonType(files), files }
}

function isHidden(path: string): boolean {
  return path.split('/').some(part => part.startsWith('_') || part.startsWith('.'))
}

function commonType(files: readonly ListedObject[]): FileType {
  const types = new Set(files.map(({ key }) => typeOf(key)))
  const [type] = types
  if (types.size === 1 && type !== undefined) return type
  const why = types.has(undefined)
    ? 'the names of the raw files do not tell it'
    : 'the raw files are of several'
  throw new PRE_VALIDATION_FAILED(`file_type must be given, since ${why}`, {
    code: 'INPUT',
    details: { field: 'file_type' },
  })
}

function typeOf(key: string): FileType | undefined {
  const [, extension = ''] = /\.(\w+)(?:\.gz)?$/.exec(key) ?? []
  return extensions[extension.toLowerCase()]
}
