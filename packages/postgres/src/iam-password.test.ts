import { createHash, createHmac } from 'node:crypto'
import { SignatureV4 } from '@smithy/signature-v4'
import { testDatabase } from '@stepwright/local-postgres/vitest'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createIamPassword, type IamCredentials } from './iam-password.ts'
import { createPostgresPool } from './postgres-pool.ts'
import { createCertificate } from './test/certificate.ts'
import { startIamProxy } from './test/iam-proxy.ts'

class Sha256 {
  readonly #hash
  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', secret as string)
  }
  update(data: string | Uint8Array): void {
    this.#hash.update(data)
  }
  async digest(): Promise<Uint8Array> {
    return new Uint8Array(this.#hash.digest())
  }
}

/** The token as AWS's own signer makes it. */
async function tokenOfAws(
  { host, port, user }: { readonly host: string; readonly port: number; readonly user: string },
  credentials: IamCredentials,
  signingDate: Date,
): Promise<string> {
  const signer = new SignatureV4({
    service: 'rds-db',
    region: 'eu-west-1',
    credentials,
    sha256: Sha256 as never,
    uriEscapePath: true,
  })
  const { query = {} } = await signer.presign(
    {
      method: 'GET',
      protocol: 'https:',
      hostname: host,
      port,
      path: '/',
      query: { Action: 'connect', DBUser: user },
      headers: { host: `${host}:${port}` },
    } as never,
    { expiresIn: 900, signingDate },
  )
  return `${host}:${port}/?${new URLSearchParams(query as Record<string, string>)}`
}

/** What a token says, whatever its order and its way of escaping. */
function partsOf(token: string): readonly unknown[] {
  const url = new URL(`https://${token}`)
  return [url.host, url.pathname, Object.fromEntries([...url.searchParams].sort())]
}

const credentials: IamCredentials = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'secret',
  sessionToken: 'a+b/c=',
}

describe('createIamPassword', () => {
  it('signs as AWS does', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.domain(),
        fc.integer({ min: 1024, max: 65_535 }),
        fc.string({ minLength: 1, maxLength: 20 }),
        fc.option(fc.base64String({ minLength: 1 }), { nil: undefined }),
        fc.date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true }),
        async (host, port, user, sessionToken, date) => {
          const { sessionToken: _, ...keys } = credentials
          const given = { ...keys, ...(sessionToken !== undefined && { sessionToken }) }
          const password = createIamPassword({
            ...{ host, port, user, region: 'eu-west-1' },
            credentials: () => given,
            now: () => date.getTime(),
          })
          expect(partsOf(await password())).toEqual(
            partsOf(await tokenOfAws({ host, port, user }, given, date)),
          )
        },
      ),
      { numRuns: 50 },
    )
  })
})

describe('a pool whose URL says auth=iam', () => {
  it('signs in to a real server through a proxy that takes TLS and tokens only, anew for each connection', async () => {
    const { url } = await testDatabase()
    const { key, cert } = createCertificate('localhost')
    const seen: string[] = []
    let minutes = 0
    const clock = () => Date.UTC(2026, 0, 1) + minutes * 60_000
    await using proxy = await startIamProxy({
      databaseUrl: url,
      key,
      cert,
      async accepts(token, user) {
        seen.push(token)
        const place = { host: 'localhost', port: proxy.port, user }
        const date = new URL(`https://${token}`).searchParams.get('X-Amz-Date') ?? ''
        const signed = Date.parse(date.replace(/(....)(..)(..)T(..)(..)(..)Z/, '$1-$2-$3T$4:$5:$6Z'))
        const expected = await tokenOfAws(place, credentials, new Date(signed))
        const age = clock() - signed
        return (
          JSON.stringify(partsOf(token)) === JSON.stringify(partsOf(expected)) && age >= 0 && age <= 900_000
        )
      },
    })
    const connectionString = `postgres://app@localhost:${proxy.port}/app?auth=iam`
    const options = { connectionString, now: clock, tls: { ca: cert } }
    const iam = { region: 'eu-west-1', credentials: () => credentials }
    await using pool = ended(createPostgresPool({ ...options, iam }))
    const pid = 'SELECT pg_backend_pid() AS pid'
    expect((await pool.query('SELECT 6 * 7 AS answer')).rows).toEqual([{ answer: 42 }])
    minutes = 20 // the first token is stale by now; the connection is not
    const { rows } = await pool.query<{ pid: number }>(pid)
    await expect(pool.query('SELECT pg_terminate_backend(pg_backend_pid())')).rejects.toThrow()
    const again = await pool.query<{ pid: number }>(pid)
    expect(again.rows[0]?.pid).not.toBe(rows[0]?.pid)
    expect(new Set(seen).size).toBe(2)

    const wrong = { ...iam, credentials: () => ({ ...credentials, secretAccessKey: 'other' }) }
    await using refused = ended(createPostgresPool({ ...options, iam: wrong }))
    await expect(refused.query(pid)).rejects.toMatchObject({ code: '28P01' })
    await using unverified = ended(createPostgresPool({ ...options, tls: true, iam }))
    await expect(unverified.query(pid)).rejects.toThrow()
    expect(seen).toHaveLength(3) // nobody tells a server a token that he does not know
  })

  it('refuses to send a token without TLS, and another way to sign in', () => {
    const connectionString = 'postgres://app@127.0.0.1:5432/app?auth=iam'
    expect(() => createPostgresPool({ connectionString, tls: false })).toThrow('auth=iam needs TLS')
    expect(() => createPostgresPool({ connectionString: connectionString.replace('iam', 'ldap') })).toThrow(
      'auth must be iam',
    )
    const { ssl } = createPostgresPool({ connectionString }).options as { readonly ssl: unknown }
    expect(ssl).toEqual({ rejectUnauthorized: true })
  })
})

function ended<T extends { end(): Promise<void> }>(pool: T): T & AsyncDisposable {
  return Object.assign(pool, { [Symbol.asyncDispose]: () => pool.end() })
}
