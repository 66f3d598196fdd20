import type { ItemReader, QueryLanguage, ReaderConfig } from '@stepwright/asl'
import { scopeOf, type Thread } from '../../execution/thread.ts'
import { compileJsonata } from '../../expressions/jsonata-template.ts'
import { compileTemplate } from '../../expressions/template.ts'
import { jsonataScope } from '../../flow/jsonata-flow.ts'
import { isObject, type Json } from '../../json.ts'
import type { MaybePromise } from '../../maybe-promise.ts'
import { TaskFailure } from '../../task/ports.ts'
import type { ObjectStorePort } from '../object-store.ts'
import { compileNumber } from '../settings.ts'
import { createChunk, type ItemChunk } from './item-chunk.ts'
import { itemReaderFailure } from './item-reader-failure.ts'
import { readAthenaManifest, readInventory } from './manifest.ts'
import { readObject } from './read-object.ts'

export type ReadItems = (thread: Thread, input: Json) => AsyncGenerator<ItemChunk>

/** Reads a Distributed Map's items from S3. */
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
  const isListing = reader.Resource.endsWith(':listObjectsV2')
  return async function* read(thread, input) {
    const { objects } = thread.execution.engine
    const location = await parameters(thread, input)
    const maxItems = (await maxItemsOf(thread, input)) ?? 0
    if (maxItems < 0) throw itemReaderFailure('field MaxItems must be positive')
    const chunks = isListing ? readListing(objects, location, config) : readNamed(objects, location, config)
    let left = maxItems === 0 ? Number.POSITIVE_INFINITY : maxItems
    try {
      for await (const chunk of chunks) {
        yield chunk.values.length <= left ? chunk : firstOf(chunk, left)
        left -= chunk.values.length
        if (left <= 0) return
      }
    } catch (error) {
      throw error instanceof TaskFailure ? itemReaderFailure(error.cause ?? error.error) : error
    }
  }
}

function firstOf({ values, keys, source }: ItemChunk, count: number): ItemChunk {
  return createChunk(values.slice(0, count), source, keys?.slice(0, count))
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

/** The object that the parameters name: the items themselves, or a manifest of the files that hold them. */
function readNamed(
  objects: ObjectStorePort,
  location: Json,
  config: ReaderConfig,
): AsyncGenerator<ItemChunk> {
  const place = { bucket: field(location, 'Bucket'), key: field(location, 'Key') }
  if (config.ManifestType === 'ATHENA_DATA') return readAthenaManifest(objects, place, config)
  if (config.ManifestType === 'S3_INVENTORY' || config.InputType === 'MANIFEST')
    return readInventory(objects, place)
  return readObject(objects, place, config)
}

/** The objects under a prefix: what is known of them, or, with LOAD_AND_FLATTEN, the items that they hold. */
async function* readListing(
  objects: ObjectStorePort,
  location: Json,
  config: ReaderConfig,
): AsyncGenerator<ItemChunk> {
  const bucket = field(location, 'Bucket')
  const prefix = isObject(location) && typeof location['Prefix'] === 'string' ? location['Prefix'] : undefined
  const isLoading = config.Transformation === 'LOAD_AND_FLATTEN'
  for await (const { key, etag, size, lastModified } of objects.list(bucket, prefix)) {
    if (!isLoading) {
      const LastModified = Math.floor(lastModified.getTime() / 1000)
      const item = { Etag: etag, Key: key, LastModified, Size: size, StorageClass: 'STANDARD' }
      yield createChunk([item], `S3://${bucket}`)
    } else if (!key.endsWith('/')) yield* readObject(objects, { bucket, key }, config)
  }
}
