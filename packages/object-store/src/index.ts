export { readJson, replaceJson, type StoredJson } from './json-object.ts'
export type {
  ByteRange,
  CallOptions,
  GetOptions,
  ListedObject,
  ListOptions,
  ObjectFacts,
  ObjectStore,
  PresignedRequest,
  PresignOptions,
  PresignPutOptions,
  PutOptions,
  PutResult,
  ReadOptions,
  StoredObject,
} from './object-store.ts'
export { readBytes, readText } from './read-body.ts'
