export type {
  ByteRange,
  CallOptions,
  GetOptions,
  ListedObject,
  ObjectFacts,
  ObjectStore,
  PresignedRequest,
  PresignOptions,
  PresignPutOptions,
  PutOptions,
  PutResult,
  StoredObject,
} from './object-store.ts'
export { readBytes, readText } from './read-body.ts'
