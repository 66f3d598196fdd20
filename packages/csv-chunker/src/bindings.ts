import { type Binding, bindFrom } from '@stepwright/app/bindings'
import type { ObjectReader } from './source/object-source.ts'
import { type ChunkReader, type ChunkReaderOptions, createChunkReader } from './tasks/chunk-reader.ts'

/** Reads the rows of chunks out of a store: `chunks(storeOf(objects(files, 'read uploads/*')))`. */
export function chunks(
  storeOf: Binding<(bucket: string | undefined) => ObjectReader>,
  options: Omit<ChunkReaderOptions, 'storeOf'> = {},
): Binding<ChunkReader> {
  return bindFrom(storeOf, opened => createChunkReader({ ...options, storeOf: opened }))
}
