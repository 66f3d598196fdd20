import { createHash } from 'node:crypto'
import type { Authorization } from './authorize.ts'
import { decodeAwsChunked } from './aws-chunked.ts'
import {
  type Checksum,
  type ChecksumAlgorithm,
  checksumAlgorithms,
  checksumHeader,
  createChecksum,
  isChecksumValue,
  parseChecksumAlgorithm,
} from './checksum.ts'
import { S3Error } from './s3-error.ts'
import { headerValue, type S3Request } from './s3-request.ts'

/** The body of a request as a stream that throws at its end, if not before, unless all it was announced to be is true. */
export interface Body {
  readonly content: AsyncIterable<Buffer>
  /** Known when the content has been read to its end. */
  result(): BodyResult
}

export interface BodyResult {
  readonly size: number
  readonly md5: Buffer
  /** What the client sent or asked for, verified. */
  readonly checksum: Checksum | undefined
}

const maxUploadBytes = 5 * 1024 ** 3
const maxDocumentBytes = 8 * 1024 ** 2
const emptySha256 = createHash('sha256').digest('hex')

/** Opens the body of an authorized request; `algorithm` is computed when the client sends no checksum. */
export function openBody(
  request: S3Request,
  authorization: Authorization,
  algorithm?: ChecksumAlgorithm,
): Body {
  const { payload } = authorization
  const chunked = payload.startsWith('STREAMING-')
  const size = announcedSize(request, chunked)
  const announced = announcedChecksum(request)
  const wanted = announced?.algorithm ?? algorithm
  const md5Header = announcedMd5(request)

  const md5 = createHash('md5')
  const sha256 = /^[0-9a-f]{64}$/.test(payload) && payload !== emptySha256 ? createHash('sha256') : undefined
  const checksum = wanted === undefined ? undefined : createChecksum(wanted)
  let result: BodyResult | undefined

  async function* verified(): AsyncGenerator<Buffer> {
    const { content, trailers } = decodeBody(request, authorization)
    let received = 0
    for await (const chunk of content) {
      received += chunk.length
      if (received > size) throw new S3Error('IncompleteBody', 'The body is longer than announced')
      md5.update(chunk)
      sha256?.update(chunk)
      checksum?.update(chunk)
      yield chunk
    }
    if (received !== size) throw new S3Error('IncompleteBody')
    if (payload === emptySha256 ? received > 0 : sha256 !== undefined && sha256.digest('hex') !== payload) {
      throw new S3Error('XAmzContentSHA256Mismatch')
    }
    const digest = md5.digest()
    if (md5Header !== undefined && !md5Header.equals(digest)) throw new S3Error('BadDigest')
    const value = checksum?.digest().toString('base64')
    if (announced !== undefined) {
      const sent = announced.value ?? trailers[checksumHeader(announced.algorithm)]
      verifyChecksum(announced.algorithm, sent, value)
    }
    result = {
      size,
      md5: digest,
      checksum:
        wanted === undefined || value === undefined
          ? undefined
          : { algorithm: wanted, value, type: 'FULL_OBJECT' },
    }
  }
  return {
    content: verified(),
    result() {
      if (result === undefined) throw new S3Error('InternalError')
      return result
    },
  }
}

/** Reads a small body, as an XML document is. */
export async function readDocument(body: Body): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body.content) {
    size += chunk.length
    if (size > maxDocumentBytes) throw new S3Error('MaxMessageLengthExceeded')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

function decodeBody(
  request: S3Request,
  authorization: Authorization,
): { content: AsyncIterable<Buffer>; trailers: Readonly<Record<string, string>> } {
  // A body that is refused half-way is still read to its end, or the refusal could not be sent.
  const source: AsyncIterable<Buffer> = request.incoming.iterator({ destroyOnReturn: false })
  switch (authorization.payload) {
    case 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD':
    case 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER':
      return decodeAwsChunked(source, authorization)
    case 'STREAMING-UNSIGNED-PAYLOAD-TRAILER':
      return decodeAwsChunked(source, undefined)
    default:
      return { content: source, trailers: {} }
  }
}

function announcedSize(request: S3Request, chunked: boolean): number {
  const text = headerValue(request, chunked ? 'x-amz-decoded-content-length' : 'content-length')
  if (text === undefined || !/^\d{1,15}$/.test(text)) throw new S3Error('MissingContentLength')
  const size = Number(text)
  if (size > maxUploadBytes) {
    throw new S3Error('EntityTooLarge', undefined, {
      ProposedSize: text,
      MaxSizeAllowed: String(maxUploadBytes),
    })
  }
  return size
}

function announcedMd5(request: S3Request): Buffer | undefined {
  const header = headerValue(request, 'content-md5')
  if (header === undefined) return undefined
  const bytes = Buffer.from(header, 'base64')
  if (bytes.length !== 16 || bytes.toString('base64') !== header) throw new S3Error('InvalidDigest')
  return bytes
}

// In a header with its value, or in x-amz-trailer with the value to come.
function announcedChecksum(
  request: S3Request,
): { algorithm: ChecksumAlgorithm; value: string | undefined } | undefined {
  const trailer = headerValue(request, 'x-amz-trailer')?.toLowerCase()
  const found = checksumAlgorithms
    .map(algorithm => {
      const name = checksumHeader(algorithm)
      return { algorithm, value: headerValue(request, name), inTrailer: trailer === name }
    })
    .filter(({ value, inTrailer }) => value !== undefined || inTrailer)
  if (found.length > 1) {
    throw new S3Error(
      'InvalidRequest',
      'Expecting a single x-amz-checksum- header. Multiple checksum Types are not allowed.',
    )
  }
  if (trailer !== undefined && found.length === 0) {
    throw new S3Error('InvalidRequest', 'The value specified in the x-amz-trailer header is not supported')
  }
  const named = headerValue(request, 'x-amz-sdk-checksum-algorithm')
  const [checksum] = found
  if (named !== undefined && checksum !== undefined && parseChecksumAlgorithm(named) !== checksum.algorithm) {
    throw new S3Error('InvalidRequest', 'Value for x-amz-sdk-checksum-algorithm header is invalid.')
  }
  return checksum
}

function verifyChecksum(
  algorithm: ChecksumAlgorithm,
  sent: string | undefined,
  computed: string | undefined,
): void {
  if (sent === undefined) throw new S3Error('MalformedTrailerError')
  if (!isChecksumValue(algorithm, sent)) {
    throw new S3Error('InvalidRequest', `Value for ${checksumHeader(algorithm)} header is invalid.`)
  }
  if (sent !== computed) {
    throw new S3Error('BadDigest', `The ${algorithm} you specified did not match the calculated checksum.`)
  }
}
