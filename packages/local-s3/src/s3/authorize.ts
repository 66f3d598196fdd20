import { createHmac, timingSafeEqual } from 'node:crypto'
import {
  createScope,
  getCanonicalHeaders,
  getCanonicalQuery,
  getSigningKey,
  MAX_PRESIGNED_TTL,
  UNSIGNED_PAYLOAD,
} from '@smithy/signature-v4'
import { type Callers, callerOf } from './callers.ts'
import { S3Error } from './s3-error.ts'
import { headerValue, queryValue, type S3Request } from './s3-request.ts'
import { Sha256, sha256Hex } from './sha256.ts'

export interface Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

export interface AuthorizeOptions {
  readonly credentials: Credentials
  readonly callers: Callers
  readonly region: string
  readonly now: () => number
}

/** What the body of an authorized request has to agree with. */
export interface Authorization {
  readonly accessKeyId: string
  /** `x-amz-content-sha256`: a hash, or how the body is signed or not. */
  readonly payload: string
  readonly signature: string
  /** Signs the lines of a string: for bodies whose chunks are signed one by one. */
  sign(lines: readonly string[]): string
  readonly amzDate: string
  readonly scope: string
}

interface Claim {
  readonly accessKeyId: string
  readonly day: string
  readonly region: string
  readonly signedHeaders: readonly string[]
  readonly signature: string
  readonly amzDate: string
  readonly payload: string
}

const algorithm = 'AWS4-HMAC-SHA256'
const maxSkewMs = 15 * 60 * 1000

/** Verifies the signature of a request, in its headers or presigned in its query. */
export async function authorize(request: S3Request, options: AuthorizeOptions): Promise<Authorization> {
  const presigned = queryValue(request, 'X-Amz-Algorithm') !== undefined
  const header = headerValue(request, 'authorization')
  if (/^AWS /.test(header ?? '') || queryValue(request, 'AWSAccessKeyId') !== undefined) {
    throw new S3Error('InvalidRequest', `Signature Version 2 is not supported. Please use ${algorithm}.`)
  }
  if (presigned && header !== undefined) {
    throw new S3Error('InvalidArgument', 'Only one auth mechanism allowed')
  }
  if (!presigned && header === undefined) throw new S3Error('AccessDenied')
  const claim = presigned ? presignedClaim(request, options) : headerClaim(request, header ?? '', options)

  const { region } = options
  const credentials = credentialsOf(claim.accessKeyId, options)
  if (claim.region !== region) {
    const code = presigned ? 'AuthorizationQueryParametersError' : 'AuthorizationHeaderMalformed'
    throw new S3Error(code, `the region '${claim.region}' is wrong; expecting '${region}'`, {
      Region: region,
    })
  }
  assertEssentialsSigned(request, claim)

  const key = Buffer.from(await getSigningKey(Sha256, credentials, claim.day, region, 's3'))
  const scope = createScope(claim.day, region, 's3')
  const sign = (lines: readonly string[]): string =>
    createHmac('sha256', key).update(lines.join('\n')).digest('hex')
  const expected = sign([algorithm, claim.amzDate, scope, sha256Hex(canonicalRequest(request, claim))])
  if (!sameText(expected, claim.signature)) throw new S3Error('SignatureDoesNotMatch')
  const { accessKeyId, payload, signature, amzDate } = claim
  return { accessKeyId, payload, signature, sign, amzDate, scope }
}

function credentialsOf(accessKeyId: string, { credentials, callers }: AuthorizeOptions): Credentials {
  if (accessKeyId === credentials.accessKeyId) return credentials
  const caller = callerOf(callers, accessKeyId)
  if (caller === undefined)
    throw new S3Error('InvalidAccessKeyId', undefined, { AWSAccessKeyId: accessKeyId })
  return { accessKeyId, secretAccessKey: caller.secretAccessKey }
}

/** Verifies the signature of a form's policy, which stands in its fields; whose it is. */
export async function assertPolicySigned(
  policy: string,
  fields: Readonly<Record<string, string>>,
  options: AuthorizeOptions,
): Promise<string> {
  if (fields['x-amz-algorithm'] !== algorithm) {
    throw new S3Error('InvalidRequest', `The form must be signed. Please use ${algorithm}.`)
  }
  const claim = toClaim(
    fields['x-amz-credential'],
    'host',
    fields['x-amz-signature'],
    fields['x-amz-date'] ?? '',
    UNSIGNED_PAYLOAD,
    message => new S3Error('InvalidArgument', message),
  )
  const { region } = options
  const credentials = credentialsOf(claim.accessKeyId, options)
  const key = Buffer.from(await getSigningKey(Sha256, credentials, claim.day, region, 's3'))
  const expected = createHmac('sha256', key).update(policy).digest('hex')
  if (claim.region !== region || !sameText(expected, claim.signature))
    throw new S3Error('SignatureDoesNotMatch')
  return claim.accessKeyId
}

export function sameText(one: string, other: string): boolean {
  const a = Buffer.from(one)
  const b = Buffer.from(other)
  return a.length === b.length && timingSafeEqual(a, b)
}

function canonicalRequest(request: S3Request, claim: Claim): string {
  const names = new Set(claim.signedHeaders)
  const headers: Record<string, string> = {}
  for (const name of names) headers[name] = headerValue(request, name) ?? ''
  const canonical = getCanonicalHeaders({ headers } as never, undefined, names)
  const sorted = Object.keys(canonical).sort()
  return [
    request.method,
    request.rawPath,
    getCanonicalQuery({ query: request.query } as never),
    ...sorted.map(name => `${name}:${canonical[name]}`),
    '',
    sorted.join(';'),
    claim.payload,
  ].join('\n')
}

// Unsigned, these could be exchanged by whoever sees the request.
function assertEssentialsSigned(request: S3Request, claim: Claim): void {
  const signed = new Set(claim.signedHeaders)
  const unsigned = Object.keys(request.headers).filter(
    name => (name === 'host' || name.startsWith('x-amz-')) && !signed.has(name),
  )
  if (unsigned.length === 0) return
  throw new S3Error('AccessDenied', 'There were headers present in the request which were not signed', {
    HeadersNotSigned: unsigned.join(', '),
  })
}

function headerClaim(request: S3Request, header: string, { now }: AuthorizeOptions): Claim {
  const malformed = (): S3Error => new S3Error('AuthorizationHeaderMalformed')
  if (!header.startsWith(`${algorithm} `)) {
    throw new S3Error(
      'InvalidRequest',
      `The authorization mechanism is not supported. Please use ${algorithm}.`,
    )
  }
  const fields = Object.fromEntries(
    header
      .slice(algorithm.length)
      .split(',')
      .map(part => part.trim().split(/=(.*)/s, 2)),
  )
  const amzDate = headerValue(request, 'x-amz-date')
  const time = parseAmzDate(amzDate)
  const payload = headerValue(request, 'x-amz-content-sha256')
  if (amzDate === undefined || time === undefined) {
    throw new S3Error('AccessDenied', 'AWS authentication requires a valid x-amz-date header')
  }
  if (payload === undefined) {
    throw new S3Error('InvalidRequest', 'Missing required header for this request: x-amz-content-sha256')
  }
  if (Math.abs(now() - time) > maxSkewMs) throw new S3Error('RequestTimeTooSkewed')
  return toClaim(
    fields['Credential'],
    fields['SignedHeaders'],
    fields['Signature'],
    amzDate,
    payload,
    malformed,
  )
}

function presignedClaim(request: S3Request, { now }: AuthorizeOptions): Claim {
  const malformed = (message?: string): S3Error => new S3Error('AuthorizationQueryParametersError', message)
  if (queryValue(request, 'X-Amz-Algorithm') !== algorithm) {
    throw malformed(`X-Amz-Algorithm only supports "${algorithm}"`)
  }
  const amzDate = queryValue(request, 'X-Amz-Date') ?? ''
  const time = parseAmzDate(amzDate)
  if (time === undefined)
    throw malformed("X-Amz-Date must be in the ISO8601 Long Format \"yyyyMMdd'T'HHmmss'Z'\"")
  const expires = queryValue(request, 'X-Amz-Expires') ?? ''
  if (!/^\d{1,9}$/.test(expires)) throw malformed('X-Amz-Expires should be a number')
  if (Number(expires) > MAX_PRESIGNED_TTL) {
    throw malformed('X-Amz-Expires must be less than a week (in seconds)')
  }
  if (time - now() > maxSkewMs) throw new S3Error('AccessDenied', 'Request is not valid yet')
  if (now() > time + Number(expires) * 1000) {
    throw new S3Error('AccessDenied', 'Request has expired', { 'X-Amz-Expires': expires })
  }
  return toClaim(
    queryValue(request, 'X-Amz-Credential'),
    queryValue(request, 'X-Amz-SignedHeaders'),
    queryValue(request, 'X-Amz-Signature'),
    amzDate,
    headerValue(request, 'x-amz-content-sha256') ??
      queryValue(request, 'X-Amz-Content-Sha256') ??
      UNSIGNED_PAYLOAD,
    malformed,
  )
}

function toClaim(
  credential: string | undefined,
  signedHeaders: string | undefined,
  signature: string | undefined,
  amzDate: string,
  payload: string,
  malformed: (message?: string) => S3Error,
): Claim {
  const scope = /^(.+)\/(\d{8})\/([^/]*)\/s3\/aws4_request$/.exec(credential ?? '')
  if (scope === null || !signedHeaders || !signature) throw malformed()
  const [, accessKeyId = '', day = '', region = ''] = scope
  if (!amzDate.startsWith(day))
    throw malformed('The date in the credential scope does not match the date of the request')
  return { accessKeyId, day, region, signedHeaders: signedHeaders.split(';'), signature, amzDate, payload }
}

function parseAmzDate(text: string | undefined): number | undefined {
  const fields = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text ?? '')
  if (fields === null) return undefined
  const [, year, month, day, hour, minute, second] = fields
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  return Number.isNaN(time) ? undefined : time
}
