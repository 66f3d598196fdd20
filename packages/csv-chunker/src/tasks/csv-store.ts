import {
  ConflictError,
  ForbiddenError,
  NetworkError,
  ServiceUnavailableException,
  type TaskErrorClass,
  TemporaryError,
  ThrottlingException,
} from '@stepwright/errors'
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

/** What an object store may answer besides `NotFoundError`. */
export const storeErrors: readonly TaskErrorClass[] = [
  ConflictError,
  ForbiddenError,
  NetworkError,
  ServiceUnavailableException,
  TemporaryError,
  ThrottlingException,
]
