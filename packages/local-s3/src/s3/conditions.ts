import { S3Error } from './s3-error.ts'
import { headerValue, type S3Request } from './s3-request.ts'

/** What conditions are about. */
export interface Version {
  readonly etag: string
  /** Milliseconds since 1970. */
  readonly lastModified: number
}

/** Throws unless the conditional headers of a read allow it: 412, or 304 where the client has it already. */
export function assertReadable(request: S3Request, version: Version): void {
  const failure = readFailure(version, name => headerValue(request, name))
  if (failure === 'match') throw new S3Error('PreconditionFailed', undefined, { Condition: 'If-Match' })
  if (failure === 'none-match') throw new S3Error('NotModified', undefined, {}, { etag: `"${version.etag}"` })
}

/** Throws unless the `x-amz-copy-source-if-…` headers allow to copy this version. */
export function assertCopyable(request: S3Request, version: Version): void {
  const failure = readFailure(version, name => headerValue(request, `x-amz-copy-source-${name}`))
  if (failure !== undefined) throw new S3Error('PreconditionFailed')
}

// A matching If-Match outweighs If-Unmodified-Since, a differing If-None-Match outweighs If-Modified-Since.
function readFailure(
  { etag, lastModified }: Version,
  header: (name: string) => string | undefined,
): 'match' | 'none-match' | undefined {
  const seconds = Math.floor(lastModified / 1000) * 1000
  const ifMatch = header('if-match')
  const unmodifiedSince = Date.parse(header('if-unmodified-since') ?? '')
  if (ifMatch !== undefined ? !matches(ifMatch, etag) : seconds > unmodifiedSince) return 'match'
  const ifNoneMatch = header('if-none-match')
  const modifiedSince = Date.parse(header('if-modified-since') ?? '')
  if (ifNoneMatch !== undefined ? matches(ifNoneMatch, etag) : seconds <= modifiedSince) return 'none-match'
  return undefined
}

/** A condition on what a write replaces, to be checked at the moment it does. */
export type WriteCondition = (existing: Version | undefined) => void

/** The condition in the `If-Match` and `If-None-Match` headers of a write. */
export function writeCondition(request: S3Request): WriteCondition {
  const ifMatch = headerValue(request, 'if-match')
  const ifNoneMatch = headerValue(request, 'if-none-match')
  if (ifNoneMatch !== undefined && ifNoneMatch !== '*') {
    throw new S3Error('NotImplemented', 'If-None-Match takes only * in a write')
  }
  return existing => {
    if (ifNoneMatch !== undefined && existing !== undefined) {
      throw new S3Error('PreconditionFailed', undefined, { Condition: 'If-None-Match' })
    }
    if (ifMatch === undefined) return
    if (existing === undefined) throw new S3Error('NoSuchKey')
    if (!matches(ifMatch, existing.etag)) {
      throw new S3Error('PreconditionFailed', undefined, { Condition: 'If-Match' })
    }
  }
}

function matches(header: string, etag: string): boolean {
  return header.split(',').some(one => {
    const tag = one.trim().replace(/^W\//, '').replace(/^"|"$/g, '')
    return tag === '*' || tag === etag
  })
}
