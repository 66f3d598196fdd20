import {
  ConflictError,
  ForbiddenError,
  isTaskError,
  NetworkError,
  NotFoundError,
  ServiceUnavailableException,
  type TaskErrorClass,
  TemporaryError,
  ThrottlingException,
  toTaskError,
  UnexpectedError,
} from '@stepwright/errors'
import { classifyAws } from '@stepwright/errors/aws'
import { outsideObject } from './byte-range.ts'

/** What was asked of S3, for its failures to be understood: the SDK says "UnknownError" of a HEAD. */
export interface S3Call {
  /** As S3 names it, e.g. `GetObject`. */
  readonly operation: string
  readonly bucket: string
  readonly key: string
}

const sentences: readonly (readonly [TaskErrorClass, (key: string, bucket: string) => string])[] = [
  // S3 answers a HEAD in the same way where the bucket is missing.
  [NotFoundError, (key, bucket) => `there is no object ${key} in the bucket ${bucket}`],
  [ConflictError, key => `the condition on the object ${key} does not hold`],
  [ForbiddenError, key => `S3 denies access to the object ${key}`],
  [TemporaryError, key => `another write of the object ${key} is going on`],
  [ThrottlingException, key => `S3 asks for fewer requests for the object ${key}`],
  [ServiceUnavailableException, key => `S3 could not serve the object ${key}`],
  [NetworkError, key => `the connection to S3 failed for the object ${key}`],
  [UnexpectedError, key => `S3 refuses the call for the object ${key}`],
]

/**
 * What a failure of the S3 client means, in a sentence of ours: the SDK's may hold a host's name. An abort, and
 * what the source of an upload threw, stay what they are.
 */
export function toStoreError(error: unknown, { operation, bucket, key }: S3Call): unknown {
  const { name, $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } }
  if (name === 'AbortError' || isTaskError(error)) return error
  if ($metadata?.httpStatusCode === 416) return outsideObject(key, error)
  const found = toClass(error, $metadata?.httpStatusCode)
  if (found === UnexpectedError && $metadata === undefined) return error
  const [errorClass, sentence] = sentences.find(([known]) => known === found) ?? [UnexpectedError, String]
  const isBucketMissing = name === 'NoSuchBucket'
  const what = isBucketMissing ? `there is no bucket ${bucket} for the object ${key}` : sentence(key, bucket)
  return new errorClass(`${what} (${operation})`, {
    ...(isBucketMissing && { code: 'BUCKET_NOT_FOUND' }),
    details: { bucket, key, operation },
    cause: error,
  })
}

function toClass(error: unknown, status: number | undefined): TaskErrorClass {
  if (status === 403) return ForbiddenError
  // Two conditional writes at the same time: S3 asks for another try.
  if (status === 409) return TemporaryError
  const classified = toTaskError(error, classifyAws)
  return sentences.find(([known]) => isTaskError(classified, known))?.[0] ?? UnexpectedError
}
