/** Objects by key. Reading what is not there is a `NotFoundError`; trouble on the way is retryable. */
export interface ObjectStore {
  /** @throws NotFoundError; ConflictError if `ifMatch` no longer holds */
  head(key: string, options?: ReadOptions): Promise<ObjectFacts>
  /**
   * The object, or a range of it, as a stream. Read the body to its end, or end its iteration.
   * @throws NotFoundError; ConflictError if `ifMatch` no longer holds; ValidationError if the range lies outside
   */
  get(key: string, options?: GetOptions): Promise<StoredObject>
  /** @throws ConflictError if a condition does not hold */
  put(key: string, body: Uint8Array | string, options?: PutOptions): Promise<PutResult>
  /**
   * Stores a stream of unknown length, in parts, with the memory of a few parts. All of it or nothing.
   * @throws ConflictError if a condition does not hold
   */
  upload(key: string, body: AsyncIterable<Uint8Array>, options?: PutOptions): Promise<PutResult>
  /** All objects whose keys start with the prefix, in the order of their keys. */
  list(prefix?: string, options?: ListOptions): AsyncIterable<ListedObject>
  /** Succeeds also if there is no such object. */
  delete(key: string, options?: CallOptions): Promise<void>
  /** Deletes any number of objects with few calls. After a failure, some of them may be gone. */
  deleteMany(keys: readonly string[], options?: CallOptions): Promise<void>
  /** A request that anybody may make once or more, until it expires, to store exactly this kind of body. */
  presignPut(key: string, options: PresignPutOptions): Promise<PresignedRequest>
  presignGet(key: string, options?: PresignOptions): Promise<PresignedRequest>
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined
}

export interface ObjectFacts {
  /** Bytes. */
  readonly size: number
  /** Quoted, as HTTP has it; changes whenever the object does. */
  readonly etag: string
  readonly contentType: string | undefined
  readonly lastModified: Date
  /** Which version of the object this is; undefined where the bucket keeps no versions. */
  readonly versionId?: string | undefined
}

export interface StoredObject extends ObjectFacts {
  readonly body: AsyncIterable<Uint8Array>
}

/** From an offset on, or the last bytes. */
export type ByteRange =
  | { readonly offset: number; readonly length?: number | undefined }
  | { readonly last: number }

/** Binds a read to what was seen before: a key alone reads whatever is there by now. */
export interface ReadOptions extends CallOptions {
  /** Only if the object still has this ETag. */
  readonly ifMatch?: string | undefined
  /** This version, replaced or not. @default the newest */
  readonly versionId?: string | undefined
}

export interface GetOptions extends ReadOptions {
  readonly range?: ByteRange | undefined
}

export interface ListOptions extends CallOptions {
  /** Only keys that come after this one. */
  readonly startAfter?: string | undefined
}

export interface PutOptions extends CallOptions {
  readonly contentType?: string | undefined
  /** `*`: only if there is no such object yet. */
  readonly ifNoneMatch?: '*' | undefined
  /** Only if the object still has this ETag. */
  readonly ifMatch?: string | undefined
}

export interface PutResult {
  readonly etag: string
  readonly versionId?: string | undefined
}

export interface ListedObject {
  readonly key: string
  readonly size: number
  readonly etag: string
  readonly lastModified: Date
}

export interface PresignOptions {
  /** @default 900: 15 minutes */
  readonly expiresInSeconds?: number
}

export interface PresignPutOptions extends PresignOptions {
  readonly contentType: string
  /** The body must have exactly this many bytes. @default any number */
  readonly contentLength?: number | undefined
}

export interface PresignedRequest {
  readonly url: string
  readonly method: 'GET' | 'PUT'
  /** Must be sent as they are. */
  readonly headers: Readonly<Record<string, string>>
  readonly expiresAt: Date
}
