import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { SignatureV4 } from '@smithy/signature-v4'
import { Sha256 } from '../s3/sha256.ts'
import type { TestBucket } from '../vitest/test-bucket.ts'

export interface RawRequest {
  readonly method: string
  /** As it goes over the wire, with its query. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
  readonly signingDate?: Date
  readonly region?: string
}

export interface RawResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  /** The code in S3's XML, if it is an error. */
  readonly code: string | undefined
}

/** The headers of a request, signed. */
export async function signHeaders(
  { endpoint, region, credentials }: TestBucket['clientConfig'],
  { method, path, headers = {}, signingDate, region: otherRegion }: RawRequest,
): Promise<Record<string, string>> {
  const { protocol, hostname, host } = new URL(endpoint)
  const [pathname = '/', search = ''] = path.split('?')
  const signer = new SignatureV4({
    credentials,
    region: otherRegion ?? region,
    service: 's3',
    sha256: Sha256,
    uriEscapePath: false,
  })
  const signed = await signer.sign(
    {
      method,
      protocol,
      hostname,
      path: pathname,
      query: Object.fromEntries(new URLSearchParams(search)),
      headers: { host, 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD', ...headers },
    },
    signingDate === undefined ? {} : { signingDate },
  )
  return signed.headers
}

/** Sends a request as it is, below what an SDK would put right. */
export async function sendRaw(endpoint: string, raw: RawRequest): Promise<RawResponse> {
  const { hostname, port } = new URL(endpoint)
  const { method, path, headers, body } = raw
  const request = httpRequest({ hostname, port, method, path, headers, agent: false })
  request.end(body)
  const [response] = await once(request, 'response')
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString()
  return {
    status: response.statusCode,
    headers: response.headers,
    text,
    code: /<Code>([^<]*)<\/Code>/.exec(text)?.[1],
  }
}

/** Signs a request and sends it. */
export async function sendSigned(config: TestBucket['clientConfig'], raw: RawRequest): Promise<RawResponse> {
  const length: Record<string, string> =
    raw.body === undefined ? {} : { 'content-length': String(Buffer.byteLength(raw.body)) }
  const headers = await signHeaders(config, { ...raw, headers: { ...length, ...raw.headers } })
  return sendRaw(config.endpoint, { ...raw, headers })
}
