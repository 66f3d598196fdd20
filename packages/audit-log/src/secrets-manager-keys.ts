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
  readonly now?: () => number
}

/** One secret of Secrets Manager, each version of which is a key: rotating it loses nothing. */
export function createSecretsManagerKeys({
  getSecretValue,
  secretId,
  cacheSeconds = 300,
  now = Date.now,
}: SecretsManagerKeysOptions): AuditKeys {
  const byVersion = new Map<string, AuditKey>()
  let latest: { readonly key: Promise<AuditKey>; readonly until: number } | undefined

  async function load(version?: string): Promise<AuditKey> {
    const secret = await getSecretValue({ SecretId: secretId, ...(version && { VersionId: version }) })
    const { VersionId: id = version, SecretBinary, SecretString } = secret
    const bytes = SecretBinary ?? (SecretString && Buffer.from(SecretString, 'base64'))
    if (!id || !bytes) throw new UnexpectedError(`secret ${secretId} has no value`)
    const key = toAuditKey(id, bytes)
    byVersion.set(id, key)
    return key
  }

  return {
    async current() {
      if (latest === undefined || latest.until <= now()) {
        const key = load()
        latest = { key, until: now() + cacheSeconds * 1000 }
        key.catch(() => {
          latest = undefined
        })
      }
      return latest.key
    },
    async find(id) {
      try {
        return byVersion.get(id) ?? (await load(id))
      } catch (error) {
        if ((error as Error).name === 'ResourceNotFoundException') return undefined
        throw error
      }
    },
  }
}
