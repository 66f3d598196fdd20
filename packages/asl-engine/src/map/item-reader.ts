import type { ItemReader, QueryLanguage, ReaderConfig } from '@stepwright/asl'
import { scopeOf, type Thread } from '../execution/thread.ts'
import { compileJsonata } from '../expressions/jsonata-template.ts'
import { compileTemplate } from '../expressions/template.ts'
import { jsonataScope } from '../flow/jsonata-flow.ts'
import { isArray, isObject, type Json } from '../json.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import { TaskFailure } from '../task/ports.ts'
import { readCsv } from './csv.ts'
import { itemReaderFailure } from './item-reader-failure.ts'
import type { ObjectStorePort } from './object-store.ts'
import { compileNumber } from './settings.ts'

/** Items come in lists: as many as one read brought, which is cheaper than one by one. */
export type ReadItems = (thread: Thread, input: Json) => AsyncGenerator<readonly Json[]>

/** Reads a Distributed Map's items from S3, never more at once than one piece of the object holds. */
export function compileItemReader(reader: ItemReader, language: QueryLanguage): ReadItems {
  const parameters = compileParameters(reader, language)
  const config = reader.ReaderConfig ?? {}
  const maxItemsOf = compileNumber({
    field: 'MaxItems',
    literal: config.MaxItems,
    path: config.MaxItemsPath,
    language,
    kind: 'integer',
  })
  return async function* read(thread, input) {
    const { objects } = thread.execution.engine
    const location = await parameters(thread, input)
    const maxItems = (await maxItemsOf(thread, input)) ?? 0
    if (maxItems < 0) throw itemReaderFailure('field MaxItems must be positive')
    const items = reader.Resource.endsWith(':listObjectsV2')
      ? listItems(objects, location)
      : objectItems(objects, field(location, 'Bucket'), field(location, 'Key'), config)
    let left = maxItems === 0 ? Number.POSITIVE_INFINITY : maxItems
    try {
      for await (const list of items) {
        yield list.length <= left ? list : list.slice(0, left)
        left -= list.length
        if (left <= 0) return
      }
    } catch (error) {
      throw error instanceof TaskFailure ? itemReaderFailure(error.cause ?? error.error) : error
    }
  }
}

function compileParameters(
  reader: ItemReader,
  language: QueryLanguage,
): (thread: Thread, input: Json) => MaybePromise<Json> {
  if (language === 'JSONata') {
    const evaluate = compileJsonata(reader.Arguments ?? {}, 'ItemReader/Arguments')
    return (thread, input) => evaluate(jsonataScope(thread, input))
  }
  const evaluate = compileTemplate(reader.Parameters ?? {})
  return (thread, input) => evaluate(scopeOf(thread, input))
}

function field(location: Json, name: string): string {
  const value = isObject(location) ? location[name] : undefined
  if (typeof value !== 'string') throw itemReaderFailure(`The ItemReader lacks ${name}`)
  return value
}

async function* listItems(objects: ObjectStorePort, location: Json): AsyncGenerator<readonly Json[]> {
  const prefix = isObject(location) && typeof location['Prefix'] === 'string' ? location['Prefix'] : undefined
  for await (const object of objects.list(field(location, 'Bucket'), prefix)) {
    yield [
      {
        Etag: object.etag,
        Key: object.key,
        LastModified: Math.floor(object.lastModified.getTime() / 1000),
        Size: object.size,
        StorageClass: 'STANDARD',
      },
    ]
  }
}

function objectItems(
  objects: ObjectStorePort,
  bucket: string,
  key: string,
  config: ReaderConfig,
): AsyncGenerator<readonly Json[]> {
  switch (config.InputType) {
    case 'CSV':
      return readCsv(decode(objects.get(bucket, key)), config)
    case 'JSONL':
      return readJsonLines(decode(objects.get(bucket, key)))
    case 'MANIFEST':
      return readManifest(objects, bucket, key, config)
    case 'PARQUET':
      throw itemReaderFailure('Parquet files cannot be read here: convert the file to JSONL')
    default:
      return readJson(decode(objects.get(bucket, key)), config.ItemsPointer)
  }
}

async function* decode(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8')
  for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true })
  yield decoder.decode()
}

const linesAtOnce = 100

async function* readJsonLines(text: AsyncIterable<string>): AsyncGenerator<readonly Json[]> {
  for await (const lines of readLines(text)) {
    for (let at = 0; at < lines.length; at += linesAtOnce)
      yield lines.slice(at, at + linesAtOnce).map(parseJson)
  }
}

function parseJson(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    throw itemReaderFailure('Attempting to map over invalid JSON.')
  }
}

async function* readJson(
  text: AsyncIterable<string>,
  pointer: string | undefined,
): AsyncGenerator<readonly Json[]> {
  let whole = ''
  for await (const chunk of text) whole += chunk
  const root = parseJson(whole)
  const items = pointer === undefined ? root : followPointer(root, pointer)
  if (isArray(items)) yield items
  else if (pointer !== undefined && isObject(items)) {
    yield Object.entries(items).map(([Key, Value]) => ({ Key, Value }))
  } else throw itemReaderFailure('Attempting to map over non-iterable node.')
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

/** An S3 inventory: the manifest names gzip-compressed or plain CSV files and their columns; or Athena's list of files. */
async function* readManifest(
  objects: ObjectStorePort,
  bucket: string,
  key: string,
  config: ReaderConfig,
): AsyncGenerator<readonly Json[]> {
  if (config.ManifestType === 'ATHENA_DATA') {
    for await (const rows of readLines(decode(objects.get(bucket, key)))) {
      for (const row of rows) {
        const [, fileBucket = bucket, fileKey = ''] = /^s3:\/\/([^/]+)\/(.*)$/.exec(row.trim()) ?? []
        yield* objectItems(objects, fileBucket, fileKey, { ...config, InputType: 'JSONL' })
      }
    }
    return
  }
  let text = ''
  for await (const chunk of decode(objects.get(bucket, key))) text += chunk
  const manifest = parseJson(text)
  if (!isObject(manifest) || !isArray(manifest['files']))
    throw itemReaderFailure('The manifest names no files.')
  const source = String(manifest['destinationBucket'] ?? bucket).replace(/^arn:aws:s3:::/, '')
  const headers = String(manifest['fileSchema'] ?? '')
    .split(',')
    .map(name => name.trim())
  for (const file of manifest['files']) {
    const fileKey = isObject(file) ? String(file['key']) : ''
    const bytes = fileKey.endsWith('.gz')
      ? gunzip(objects.get(source, fileKey))
      : objects.get(source, fileKey)
    yield* readCsv(decode(bytes), { CSVHeaderLocation: 'GIVEN', CSVHeaders: headers })
  }
}

async function* readLines(text: AsyncIterable<string>): AsyncGenerator<readonly string[]> {
  let rest = ''
  for await (const chunk of text) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    yield lines.filter(line => line.trim() !== '')
  }
  if (rest.trim() !== '') yield [rest]
}

async function* gunzip(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const compressed = ReadableStream.from(bytes) as ReadableStream<Uint8Array<ArrayBuffer>>
  yield* compressed.pipeThrough(new DecompressionStream('gzip')) as unknown as AsyncIterable<Uint8Array>
}
