import { createHmac, timingSafeEqual } from 'node:crypto'

export type TokenClaims = Readonly<Record<string, unknown>>

/** Why a token was refused, in words for the one who sent it. */
export class InvalidTokenError extends Error {
  override readonly name = 'InvalidTokenError'
}

/** A JSON Web Token signed with HMAC SHA-256. */
export function signJwt(claims: TokenClaims, secret: string): string {
  const content = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`
  return `${content}.${signatureOf(content, secret).toString('base64url')}`
}

/** @throws InvalidTokenError if it is malformed, not signed with the secret, expired or not valid yet */
export type VerifyJwt = (token: string, nowMs: number) => TokenClaims

const maxKnownTokens = 1000

/** A token's signature is checked once, its times at every call. */
export function createJwtVerifier(secret: string): VerifyJwt {
  const known = new Map<string, TokenClaims>()
  return (token, nowMs) => {
    let claims = known.get(token)
    if (claims === undefined) {
      claims = parse(verifiedClaims(token, secret))
      if (known.size >= maxKnownTokens) known.clear()
      known.set(token, claims)
    }
    const { exp, nbf } = claims
    if (exp !== undefined && !(Number(exp) * 1000 > nowMs))
      throw new InvalidTokenError('the token has expired')
    if (nbf !== undefined && !(Number(nbf) * 1000 <= nowMs))
      throw new InvalidTokenError('the token is not valid yet')
    // What a handler does to them must not stay.
    return copyOf(claims)
  }
}

function copyOf(claims: TokenClaims): TokenClaims {
  for (const name in claims) if (typeof claims[name] === 'object') return structuredClone(claims)
  return { ...claims }
}

/** The claims in JSON, of a token that is signed with the secret. */
function verifiedClaims(token: string, secret: string): string {
  const [head = '', body = '', signature = '', ...rest] = token.split('.')
  if (rest.length > 0 || parse(decode(head))['alg'] !== 'HS256') {
    throw new InvalidTokenError('the token is not a JWT signed with HS256')
  }
  const [given, expected] = [Buffer.from(signature, 'base64url'), signatureOf(`${head}.${body}`, secret)]
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    throw new InvalidTokenError("the token's signature is wrong")
  }
  return decode(body)
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function decode(part: string): string {
  return Buffer.from(part, 'base64url').toString('utf8')
}

function parse(json: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(json)
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
  } catch {
    // falls through
  }
  throw new InvalidTokenError('the token is no JWT')
}

function signatureOf(content: string, secret: string): Buffer {
  return createHmac('sha256', secret).update(content).digest()
}
