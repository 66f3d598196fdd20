import { createHash, createHmac } from 'node:crypto'

export interface IamPasswordOptions {
  readonly host: string
  readonly port: number
  readonly user: string
  /** @default the one that the function runs in */
  readonly region?: string
  /** @default those that the function has in its environment */
  readonly credentials?: () => IamCredentials | Promise<IamCredentials>
  /** @default Date.now */
  readonly now?: () => number
}

export interface IamCredentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
}

/** How long RDS takes a token; a connection that it has opened lasts longer. */
const expirySeconds = 900
const algorithm = 'AWS4-HMAC-SHA256'
const emptyHash = hash('')

/**
 * Passwords for a user who signs in to RDS by IAM, each for one new connection: a request to connect, signed
 * (Signature Version 4) by what `rds-db:connect` is allowed to.
 */
export function createIamPassword(options: IamPasswordOptions): () => Promise<string> {
  const { host, port, user, now = Date.now, credentials = credentialsOfFunction } = options
  const place = `${host}:${port}`
  return async () => {
    const { accessKeyId, secretAccessKey, sessionToken } = await credentials()
    const time = new Date(now()).toISOString().replaceAll(/[-:]|\.\d+/g, '')
    const scope = [time.slice(0, 8), options.region ?? regionOfFunction(), 'rds-db', 'aws4_request']
    const query = toQuery({
      Action: 'connect',
      DBUser: user,
      'X-Amz-Algorithm': algorithm,
      'X-Amz-Credential': [accessKeyId, ...scope].join('/'),
      'X-Amz-Date': time,
      'X-Amz-Expires': String(expirySeconds),
      ...(sessionToken !== undefined && { 'X-Amz-Security-Token': sessionToken }),
      'X-Amz-SignedHeaders': 'host',
    })
    const request = ['GET', '/', query, `host:${place}`, '', 'host', emptyHash].join('\n')
    const text = [algorithm, time, scope.join('/'), hash(request)].join('\n')
    const key = scope.reduce<string | Buffer>((secret, part) => sign(secret, part), `AWS4${secretAccessKey}`)
    return `${place}/?${query}&X-Amz-Signature=${sign(key, text).toString('hex')}`
  }
}

/** In the order of their names, as they are signed. */
function toQuery(fields: Readonly<Record<string, string>>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}=${encode(value)}`)
    .join('&')
}

function encode(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    each => `%${each.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function sign(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

/** Lambda puts both into the environment of every function. */
function credentialsOfFunction(): IamCredentials {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = process.env
  const { AWS_SESSION_TOKEN: sessionToken } = process.env
  if (!accessKeyId || !secretAccessKey)
    throw new TypeError(
      'credentials must be given where AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set',
    )
  return { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) }
}

function regionOfFunction(): string {
  const { AWS_REGION: region } = process.env
  if (!region) throw new TypeError('region must be given where AWS_REGION is not set')
  return region
}
