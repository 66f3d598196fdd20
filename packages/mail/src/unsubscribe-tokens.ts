import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { isUint8Array } from 'node:util/types'
import { DataValidationError } from '@stepwright/errors'

/** Who wants no more mail, and which mail said so. */
export interface UnsubscribeClaim {
  readonly address: string
  /** What the mail was part of, such as a campaign. */
  readonly source: string
}

/** Makes the tokens of `List-Unsubscribe` and reads them: nobody else can, and none tells its address to a log. */
export interface UnsubscribeTokens {
  seal(claim: UnsubscribeClaim): string
  /** Undefined for a token that is not ours. */
  open(token: string): UnsubscribeClaim | undefined
}

const keyBytes = 32
const nonceBytes = 12
const tagBytes = 16

/**
 * The first key seals, all of them open: a key goes on opening for as long as mails that were sealed with it lie
 * in mailboxes.
 * @throws TypeError unless each key has 32 bytes
 */
export function createUnsubscribeTokens(keys: readonly Uint8Array[]): UnsubscribeTokens {
  const [sealing] = keys
  if (sealing === undefined || keys.some(key => !isUint8Array(key) || key.length !== keyBytes)) {
    throw new TypeError(`keys must be one key or more of ${keyBytes} bytes each`)
  }
  return {
    seal({ address, source }) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', sealing, nonce)
      const sealed = Buffer.concat([cipher.update(JSON.stringify([address, source])), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')
    },
    open(token) {
      const bytes = Buffer.from(token, 'base64url')
      if (bytes.length < nonceBytes + tagBytes) return undefined
      for (const key of keys) {
        const text = decrypt(bytes, key)
        if (text === undefined) continue
        const [address, source] = JSON.parse(text) as [string, string]
        return { address, source }
      }
      return undefined
    },
  }
}

function decrypt(bytes: Buffer, key: Uint8Array): string | undefined {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  })
  decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
  const sealed = bytes.subarray(nonceBytes + tagBytes)
  try {
    return `${decipher.update(sealed, undefined, 'utf8')}${decipher.final('utf8')}`
  } catch {
    return undefined
  }
}

/**
 * The header fields of one-click unsubscription (RFC 8058): mail programs send a POST to the URL, which must be one of
 * https, or of http on loopback for development.
 */
export function unsubscribeHeaders(url: string): Readonly<Record<string, string>> {
  if (!isUnsubscribeUrl(url)) {
    throw new DataValidationError(
      'the URL of an unsubscription must be of https, in ASCII without <, > and blanks',
      {
        code: 'INVALID_UNSUBSCRIBE_URL',
      },
    )
  }
  return { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
}

function isUnsubscribeUrl(url: string): boolean {
  if (!/^https?:\/\/[!-;=?-~]+$/.test(url) || !URL.canParse(url)) return false
  const { protocol, hostname } = new URL(url)
  return protocol === 'https:' || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}
