import { siteHeaders } from './site-headers.ts'

/** What the function of a site has of a file. */
export interface HeldFile {
  readonly contentType: string
  readonly etag: string
  /** In base64 where it is not text. */
  readonly body: string
  readonly isBase64Encoded: boolean
}

/** The part of API Gateway's events, of either kind, that says what is asked for. */
interface SiteRequest {
  readonly path?: string
  readonly rawPath?: string
  readonly headers?: Readonly<Record<string, string | undefined>>
}

interface SiteResponse {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly isBase64Encoded: boolean
}

/** The Lambda function of a site: its files are in it, so that they change and go back with everything else. */
export function createSiteHandler(
  files: Readonly<Record<string, HeldFile>>,
  connectTo: readonly string[],
): (request: SiteRequest) => Promise<SiteResponse> {
  const common = { ...siteHeaders(connectTo), 'strict-transport-security': 'max-age=31536000' }
  return async ({ path, rawPath, headers = {} }) => {
    const asked = rawPath ?? path ?? '/'
    const key = asked === '/index.html' || asked === '' ? '/' : asked
    const file = Object.hasOwn(files, key) ? files[key] : undefined
    if (file === undefined) {
      const plain = { ...common, 'content-type': 'text/plain; charset=utf-8' }
      return { statusCode: 404, headers: plain, body: 'Not Found', isBase64Encoded: false }
    }
    const { contentType, etag, body, isBase64Encoded } = file
    const known = headers['if-none-match'] ?? headers['If-None-Match']
    if (known === etag)
      return { statusCode: 304, headers: { ...common, etag }, body: '', isBase64Encoded: false }
    return {
      statusCode: 200,
      headers: { ...common, 'content-type': contentType, etag },
      body,
      isBase64Encoded,
    }
  }
}
