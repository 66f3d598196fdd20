export {
  type ObjectCreatedEvent,
  type ObjectCreatedListener,
  type ObjectCreatedReason,
  type S3,
  type S3Access,
  type S3Caller,
  type S3Options,
  startS3,
} from './s3.ts'
