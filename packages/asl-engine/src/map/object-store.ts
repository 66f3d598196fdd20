/** Where a Distributed Map reads its items and writes its results: S3, or memory in tests. */
export interface ObjectStorePort {
  /** Rejects with a TaskFailure named as S3 names it, such as `S3.NoSuchKeyException`. */
  readonly get: (bucket: string, key: string) => AsyncIterable<Uint8Array>
  readonly list: (bucket: string, prefix: string | undefined) => AsyncIterable<MapObject>
  readonly put: (bucket: string, key: string, body: Uint8Array) => Promise<{ readonly etag: string }>
}

export interface MapObject {
  readonly key: string
  readonly size: number
  readonly etag: string
  readonly lastModified: Date
}
