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
export { objectStoreTaskErrors } from './task-errors.ts'
