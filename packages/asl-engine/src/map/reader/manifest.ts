import type { ReaderConfig } from '@stepwright/asl'
import { isArray, isObject } from '../../json.ts'
import type { ObjectStorePort } from '../object-store.ts'
import { decode, readLines, readWhole } from './decompress.ts'
import type { ItemChunk } from './item-chunk.ts'
import { itemReaderFailure } from './item-reader-failure.ts'
import { type ObjectPlace, parseJson, readObject } from './read-object.ts'

/** Athena's manifest: a line with the address of each file of a query's result, which are of `InputType`. */
export async function* readAthenaManifest(
  objects: ObjectStorePort,
  place: ObjectPlace,
  config: ReaderConfig,
): AsyncGenerator<ItemChunk> {
  for await (const lines of readLines(decode(objects.get(place.bucket, place.key)))) {
    for (const line of lines) {
      const [, bucket, key] = /^"?s3:\/\/([^/]+)\/(.*?)"?\r?$/i.exec(line.trim()) ?? []
      if (bucket === undefined || key === undefined)
        throw itemReaderFailure('The manifest has a line that is not the address of an S3 object.')
      yield* readObject(objects, { bucket, key }, config)
    }
  }
}

/** An S3 inventory: the manifest names CSV files, mostly compressed, and their columns. */
export async function* readInventory(
  objects: ObjectStorePort,
  place: ObjectPlace,
): AsyncGenerator<ItemChunk> {
  const manifest = parseJson(await readWhole(objects.get(place.bucket, place.key)))
  if (!isObject(manifest) || !isArray(manifest['files']))
    throw itemReaderFailure('The manifest names no files.')
  const format = String(manifest['fileFormat'] ?? 'CSV')
  if (format !== 'CSV')
    throw itemReaderFailure(`Inventories in ${format} cannot be read: the format must be CSV.`)
  const bucket = String(manifest['destinationBucket'] ?? place.bucket).replace(/^arn:aws[\w-]*:s3:::/, '')
  const CSVHeaders = String(manifest['fileSchema'] ?? '')
    .split(',')
    .map(name => name.trim())
  for (const file of manifest['files']) {
    const key = isObject(file) ? String(file['key']) : ''
    yield* readObject(objects, { bucket, key }, { InputType: 'CSV', CSVHeaderLocation: 'GIVEN', CSVHeaders })
  }
}
