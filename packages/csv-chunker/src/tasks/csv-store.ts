import {
  ConflictError,
  CSVValidationError,
  ForbiddenError,
  NetworkError,
  ServiceUnavailableException,
  type TaskErrorClass,
  TemporaryError,
  ThrottlingException,
  ValidationError,
} from '@stepwright/errors'
import type { TaskNeeds } from '@stepwright/task'
import type { ObjectReader } from '../source/object-source.ts'

/** What the tasks need of an object store; `@stepwright/object-store` has it. */
export interface CsvStore extends ObjectReader {
  put(
    key: string,
    body: Uint8Array | string,
    options?: {
      contentType?: string | undefined
      ifNoneMatch?: '*' | undefined
      signal?: AbortSignal | undefined
    },
  ): Promise<unknown>
}

export interface CsvPorts {
  /** The store of a bucket; an input that names none gives undefined. */
  readonly storeOf: (bucket: string | undefined) => CsvStore
}

export const csvNeeds: TaskNeeds & { readonly ports: { readonly storeOf: string } } = {
  ports: { storeOf: 'The object store of a bucket, to read the CSV and to write what was found.' },
  permissions: [
    { actions: ['s3:GetObject', 's3:GetObjectVersion', 's3:ListBucket'], on: 'the bucket of the CSV' },
    { actions: ['s3:GetObject', 's3:PutObject'], on: 'chunks/* in the bucket of the CSV' },
  ],
}

/** What an object store may answer besides what is wrong with the file itself. */
const storeErrors: readonly TaskErrorClass[] = [
  ConflictError,
  ForbiddenError,
  NetworkError,
  ServiceUnavailableException,
  TemporaryError,
  ThrottlingException,
]

/** Every error that a task of this package declares. */
export const csvTaskErrors: readonly TaskErrorClass[] = [CSVValidationError, ValidationError, ...storeErrors]
