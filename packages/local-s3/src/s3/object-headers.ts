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
/** What a copy does not take along: it has what its own request says. */
const ownToEachWrite = [
  'x-amz-storage-class',
  'x-amz-server-side-encryption',
  'x-amz-server-side-encryption-aws-kms-key-id',
  'x-amz-server-side-encryption-bucket-key-enabled',
  'x-amz-website-redirect-location',
]
const kept = [...describing, ...ownToEachWrite]
const storageClasses = [
  'STANDARD',
  'DEEP_ARCHIVE',
  'GLACIER',
  'GLACIER_IR',
  'INTELLIGENT_TIERING',
  'ONEZONE_IA',
  'REDUCED_REDUNDANCY',
  'STANDARD_IA',
]
const maxMetadataBytes = 2048

type Headers = Readonly<Record<string, string>>

/** The headers of a request that belong to the object it writes. */
export function objectHeaders(request: S3Request): Record<string, string> {
  const headers: Record<string, string> = { 'content-type': 'binary/octet-stream' }
  let metadataBytes = 0
  for (const name of Object.keys(request.headers)) {
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
  const encoding = headers['content-encoding']?.replace(/,?\s*\baws-chunked\b/g, '').replace(/^\s*,\s*/, '')
  delete headers['content-encoding']
  if (encoding) headers['content-encoding'] = encoding
  assertStorageClass(headers)
  return headers
}

// S3 does not name the usual one.
function assertStorageClass(headers: Record<string, string>): void {
  const storageClass = headers['x-amz-storage-class'] ?? 'STANDARD'
  if (!storageClasses.includes(storageClass)) throw new S3Error('InvalidStorageClass')
  if (storageClass === 'STANDARD') delete headers['x-amz-storage-class']
}

/** The headers of a copy that keeps what describes its source. */
export function copiedHeaders(request: S3Request, source: Headers): Record<string, string> {
  const asked = objectHeaders(request)
  const own = (headers: Headers, wanted: boolean) =>
    Object.entries(headers).filter(([name]) => ownToEachWrite.includes(name) === wanted)
  return Object.fromEntries([...own(source, false), ...own(asked, true)])
}

/** Whether a copy of an object onto itself would change anything. */
export function changesItself(request: S3Request, source: Headers): boolean {
  return ownToEachWrite.some(name => {
    const asked = headerValue(request, name)
    return asked !== undefined && asked !== (source[name] ?? 'STANDARD')
  })
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
