import {
  ForbiddenError,
  NetworkError,
  ServiceUnavailableException,
  type TaskErrorClass,
  TemporaryError,
  ThrottlingException,
} from '@stepwright/errors'

/** What S3 and DynamoDB can fail with, whatever they are asked. */
export const serviceErrors: readonly TaskErrorClass[] = [
  ForbiddenError,
  NetworkError,
  ServiceUnavailableException,
  TemporaryError,
  ThrottlingException,
]
