import { S3Error } from './s3-error.ts'
import { headerValue, type S3Request } from './s3-request.ts'

/** The account that owns every bucket. */
export const ownerAccount = '000000000000'

const notThere = [
  /^x-amz-(copy-source-)?server-side-encryption-customer-/,
  /^x-amz-object-lock-/,
  /^x-amz-bypass-governance-retention$/,
  /^x-amz-if-match-/,
  /^x-amz-mfa$/,
  /^x-amz-tagging$/,
  /^x-amz-write-offset-bytes$/,
]

/** Throws for headers that ask for what this server does not have: to ignore them would be to say that it was done. */
export function refuseHeaders(request: S3Request): void {
  for (const name of Object.keys(request.headers)) {
    if (notThere.some(pattern => pattern.test(name))) throw notImplemented(name)
    if (/^x-amz-grant-/.test(name)) throw new S3Error('AccessControlListNotSupported')
    if (/^x-amz-(source-)?expected-bucket-owner$/.test(name) && headerValue(request, name) !== ownerAccount) {
      throw new S3Error('AccessDenied')
    }
  }
  refuseOther(request, 'x-amz-bucket-object-lock-enabled', /^false$/i)
  refuseOther(request, 'x-amz-object-ownership', /^BucketOwnerEnforced$/)
  refuseOther(request, 'x-amz-tagging-directive', /^COPY$/)
  const acl = headerValue(request, 'x-amz-acl')
  // As in every new bucket of S3: these two give nobody more than no ACL does.
  if (acl !== undefined && acl !== 'private' && acl !== 'bucket-owner-full-control') {
    throw new S3Error('AccessControlListNotSupported')
  }
}

function refuseOther(request: S3Request, name: string, allowed: RegExp): void {
  const value = headerValue(request, name)
  if (value !== undefined && !allowed.test(value)) throw notImplemented(name)
}

function notImplemented(name: string): S3Error {
  return new S3Error('NotImplemented', `This server does not implement the header ${name}`, { Header: name })
}
