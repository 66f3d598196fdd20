import { S3Error } from './s3-error.ts'
import { headerValue, queryValue, type S3Request } from './s3-request.ts'

const describing = [
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-type',
  'expires',
]
const kept = [
  ...describing,
  'x-amz-storage-class',
  'x-amz-server-side-encryption',
  'x-amz-website-redirect-location',
]
const unsupported = [
  /^x-amz-server-side-encryption-customer-/,
  /^x-amz-object-lock-/,
  /^x-amz-tagging$/,
  /^x-amz-write-offset-bytes$/,
]
const maxMetadataBytes = 2048

/** The headers of a request that belong to the object it writes. */
export function objectHeaders(request: S3Request): Record<string, string> {
  const headers: Record<string, string> = { 'content-type': 'binary/octet-stream' }
  let metadataBytes = 0
  for (const name of Object.keys(request.headers)) {
    if (unsupported.some(pattern => pattern.test(name))) {
      throw new S3Error('NotImplemented', `This server does not implement the header ${name}`, {
        Header: name,
      })
    }
    const value = headerValue(request, name) ?? ''
    if (name.startsWith('x-amz-meta-')) {
      metadataBytes += Buffer.byteLength(name.slice('x-amz-meta-'.length)) + Buffer.byteLength(value)
      headers[name] = value
    } else if (kept.includes(name)) {
      headers[name] = value
    }
  }
  if (metadataBytes > maxMetadataBytes) {
    throw new S3Error('MetadataTooLarge', undefined, {
      Size: String(metadataBytes),
      MaxSizeAllowed: String(maxMetadataBytes),
    })
  }
  // How the body travelled is not what it is.
  const encoding = headers['content-encoding']
    ?.split(',')
    .map(one => one.trim())
    .filter(one => one !== 'aws-chunked' && one !== '')
    .join(',')
  delete headers['content-encoding']
  if (encoding) headers['content-encoding'] = encoding
  return headers
}

/** The headers that `response-content-type` and its like put in place of the object's own. */
export function overriddenHeaders(request: S3Request): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const name of describing) {
    const value = queryValue(request, `response-${name}`)
    if (value === undefined) continue
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
      throw new S3Error('InvalidArgument', 'Header value cannot be represented using ISO-8859-1.', {
        ArgumentName: `response-${name}`,
        ArgumentValue: value,
      })
    }
    headers[name] = value
  }
  return headers
}
