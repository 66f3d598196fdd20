import { UnexpectedError } from '@stepwright/errors'
import { type AuditKey, type AuditKeys, toAuditKey } from './audit-keys.ts'

/** What is needed of Secrets Manager: `input => client.send(new GetSecretValueCommand(input))`. */
export type GetSecretValue = (input: { SecretId: string; VersionId?: string }) => Promise<{
  VersionId?: string | undefined
  SecretString?: string | undefined
  SecretBinary?: Uint8Array | undefined
}>

export interface SecretsManagerKeysOptions {
  readonly getSecretValue: GetSecretValue
  /** Holds 32 bytes or more: binary, or as a string in base64. */
  readonly secretId: string
  /** How long a rotation may go unnoticed. @default 300 */
  readonly cacheSeconds?: number
  /** How long after that the last key still signs while Secrets Manager does not answer. @default 86_400 */
  readonly staleSeconds?: number
  readonly now?: () => number
}

const retryMs = 60_000
/** There is none of that id, or there cannot be: then it was tampered with. */
const unknownVersion = /^(ResourceNotFound|Validation|InvalidParameter)Exception$/

/** One secret of Secrets Manager, each version of which is a key: rotating it loses nothing. */
export function createSecretsManagerKeys({
  getSecretValue,
  secretId,
  cacheSeconds = 300,
  staleSeconds = 86_400,
  now = Date.now,
}: SecretsManagerKeysOptions): AuditKeys {
  const byVersion = new Map<string, AuditKey>()
  let latest: { readonly key: AuditKey; readonly freshUntil: number } | undefined
  let askAgainAt = Number.NEGATIVE_INFINITY
  let refreshing: Promise<AuditKey> | undefined

  async function load(version?: string): Promise<AuditKey> {
    const secret = await getSecretValue({ SecretId: secretId, ...(version && { VersionId: version }) })
    const { VersionId: id = version, SecretBinary, SecretString } = secret
    const bytes = SecretBinary ?? (SecretString && Buffer.from(SecretString, 'base64'))
    if (!id || !bytes) throw new UnexpectedError(`secret ${secretId} has no value`)
    const key = toAuditKey(id, bytes)
    byVersion.set(id, key)
    return key
  }

  async function refresh(): Promise<AuditKey> {
    try {
      const key = await load()
      latest = { key, freshUntil: now() + cacheSeconds * 1000 }
      return key
    } catch (error) {
      if (latest === undefined || now() >= latest.freshUntil + staleSeconds * 1000) throw error
      askAgainAt = now() + retryMs
      return latest.key
    } finally {
      refreshing = undefined
    }
  }

  return {
    async current() {
      if (latest && now() < Math.max(latest.freshUntil, askAgainAt)) return latest.key
      refreshing ??= refresh()
      return refreshing
    },
    async find(id) {
      // Without an id, Secrets Manager would give the latest.
      if (id === '') return undefined
      try {
        return byVersion.get(id) ?? (await load(id))
      } catch (error) {
        if (unknownVersion.test((error as Error).name)) return undefined
        throw error
      }
    },
  }
}
