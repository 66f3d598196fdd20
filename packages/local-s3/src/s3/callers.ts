import { parseCopySource } from './copy-source.ts'
import { S3Error } from './s3-error.ts'
import { headerValue, queryValue, type S3Request } from './s3-request.ts'

/** Something that a request does, as IAM names it. */
export interface S3Access {
  readonly action: string
  readonly bucket: string
  /** Empty for what is done to a bucket. */
  readonly key: string
  /** Of a listing. */
  readonly prefix?: string
}

/** Somebody who may not do everything. */
export interface S3Caller {
  readonly secretAccessKey: string
  /** Why it may not, as AWS words it; undefined where it may. */
  readonly refusalOf: (access: S3Access) => string | undefined
}

/** By their access key. */
export type Callers = Readonly<Record<string, S3Caller>>

/** Undefined for a key that is nobody's, also if every JavaScript object has a property of that name. */
export function callerOf(callers: Callers, accessKeyId: string): S3Caller | undefined {
  return Object.hasOwn(callers, accessKeyId) ? callers[accessKeyId] : undefined
}

export function assertMay(caller: S3Caller | undefined, access: S3Access): void {
  const refusal = caller?.refusalOf(access)
  if (refusal !== undefined) throw new S3Error('AccessDenied', refusal)
}

/** What a request does besides, or instead of, the action of its route. */
export function accessesOf(request: S3Request, action: string): readonly S3Access[] {
  const { bucket, key } = request
  const prefix = queryValue(request, 'prefix')
  const version = queryValue(request, 'versionId') !== undefined && action === 's3:GetObject'
  const own = { action: version ? 's3:GetObjectVersion' : action, bucket, key, ...(prefix && { prefix }) }
  const source = headerValue(request, 'x-amz-copy-source')
  // Of a list of deletions, each is asked for on its own.
  if (action === 's3:DeleteObject' && key === '') return []
  if (source === undefined) return [own]
  return [{ action: 's3:GetObject', ...parseCopySource(source) }, own]
}

/** Who may not list a bucket is not told whether an object is missing. */
export function hideMissing(caller: S3Caller | undefined, { bucket }: S3Request, error: unknown): unknown {
  if (!(error instanceof S3Error) || error.code !== 'NoSuchKey') return error
  const refusal = caller?.refusalOf({ action: 's3:ListBucket', bucket, key: '' })
  return refusal === undefined ? error : new S3Error('AccessDenied', refusal)
}
