export {
  type AggregateMapResultsInput,
  aggregateMapResults,
  type MapCounts,
  type MapReducer,
  type MapResultsPorts,
} from './aggregate-map-results.ts'
export {
  type FailedMapResult,
  type MapResult,
  type MapResults,
  mapResultsSchema,
  readMapResults,
  type SucceededMapResult,
} from './map-results.ts'
export {
  type PresignUploadInput,
  type PresignUploadOptions,
  type PresignUploadOutput,
  type PresignUploadPorts,
  presignUpload,
} from './presign-upload.ts'
export {
  type PurgeObjectsInput,
  type PurgeObjectsOutput,
  type PurgeObjectsPorts,
  purgeObjects,
} from './purge-objects.ts'
export { objectStoreTaskErrors } from './task-errors.ts'
