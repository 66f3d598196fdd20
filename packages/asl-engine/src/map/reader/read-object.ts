import type { ReaderConfig } from '@stepwright/asl'
import { isArray, isObject, type Json } from '../../json.ts'
import type { ObjectStorePort } from '../object-store.ts'
import { readCsv } from './csv.ts'
import { decode, decompress, readLines, readWhole } from './decompress.ts'
import { createChunk, type ItemChunk, toChunk } from './item-chunk.ts'
import { itemReaderFailure } from './item-reader-failure.ts'
import { readParquet } from './parquet.ts'

/** One object of S3. */
export interface ObjectPlace {
  readonly bucket: string
  readonly key: string
}

function sourceOf({ bucket, key }: ObjectPlace): string {
  return `S3://${bucket}/${key}`
}

/** The items of one file, never more at once than a piece of it holds (JSON and Parquet apart). */
export async function* readObject(
  objects: ObjectStorePort,
  place: ObjectPlace,
  config: ReaderConfig,
): AsyncGenerator<ItemChunk> {
  const source = sourceOf(place)
  const bytes = decompress(objects.get(place.bucket, place.key), place.key)
  if (config.InputType === undefined || config.InputType === 'JSON') {
    yield await readJson(bytes, config.ItemsPointer, source)
    return
  }
  for await (const values of readRows(bytes, config)) yield createChunk(values, source)
}

function readRows(bytes: AsyncIterable<Uint8Array>, config: ReaderConfig): AsyncGenerator<readonly Json[]> {
  switch (config.InputType) {
    case 'CSV':
      return readCsv(decode(bytes), config)
    case 'PARQUET':
      return readParquet(bytes)
    default:
      return readJsonLines(decode(bytes))
  }
}

const linesAtOnce = 100

async function* readJsonLines(text: AsyncIterable<string>): AsyncGenerator<readonly Json[]> {
  for await (const lines of readLines(text)) {
    for (let at = 0; at < lines.length; at += linesAtOnce)
      yield lines.slice(at, at + linesAtOnce).map(parseJson)
  }
}

export function parseJson(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    throw itemReaderFailure('Attempting to map over invalid JSON.')
  }
}

async function readJson(
  bytes: AsyncIterable<Uint8Array>,
  pointer: string | undefined,
  source: string,
): Promise<ItemChunk> {
  const root = parseJson(await readWhole(bytes))
  const items = pointer === undefined ? root : followPointer(root, pointer)
  const chunk = pointer === undefined && !isArray(items) ? undefined : toChunk(items, source)
  if (chunk === undefined) throw itemReaderFailure('Attempting to map over non-iterable node.')
  return chunk
}

function followPointer(root: Json, pointer: string): Json | undefined {
  let node: Json | undefined = root
  for (const part of pointer.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
    if (isArray(node)) node = node[Number(key)]
    else node = isObject(node) && Object.hasOwn(node, key) ? node[key] : undefined
  }
  return node
}
