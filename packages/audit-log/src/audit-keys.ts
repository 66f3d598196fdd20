import { createSecretKey, type KeyObject } from 'node:crypto'

/** A secret for HMAC-SHA256 and the name under which it is found again after a rotation. */
export interface AuditKey {
  readonly id: string
  readonly secret: KeyObject
}

/** Where the keys are. Old ones must stay known for as long as what they signed is kept. */
export interface AuditKeys {
  /** The one to sign with. */
  current(): Promise<AuditKey>
  find(id: string): Promise<AuditKey | undefined>
}

const minBytes = 32

/** @throws TypeError if the secret is shorter than 32 bytes */
export function toAuditKey(id: string, secret: Uint8Array): AuditKey {
  if (secret.byteLength < minBytes) {
    throw new TypeError(
      `audit key ${id} must have at least ${minBytes} random bytes, not ${secret.byteLength}`,
    )
  }
  return { id, secret: createSecretKey(secret) }
}

/**
 * Reads keys from a text such as an environment variable: `id:base64`, several separated by commas. The first
 * one signs, the others verify.
 */
export function parseAuditKeys(text: string): AuditKeys {
  const keys = text.split(',').map(part => {
    const [, id, secret] = /^\s*([\w-]+):([\w+/-]+={0,2})\s*$/.exec(part) ?? []
    if (id === undefined || secret === undefined) {
      throw new TypeError('audit keys must be of the form id:base64, several of them separated by commas')
    }
    return toAuditKey(id, Buffer.from(secret, 'base64'))
  })
  const byId = new Map(keys.map(key => [key.id, key]))
  if (byId.size < keys.length) throw new TypeError('audit keys must not have the same id')
  return {
    current: async () => keys[0] as AuditKey,
    find: async id => byId.get(id),
  }
}
