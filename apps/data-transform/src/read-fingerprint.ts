import { DataValidationError, isTaskError, SCHEMA_CHECK_FAILED } from '@stepwright/errors'
import { type ObjectStore, readJson, type StoredJson } from '@stepwright/object-store'
import { type SchemaFingerprint, schemaFingerprint, schemaHash } from './schema-fingerprint.ts'

/** @throws SCHEMA_CHECK_FAILED for one that is not of its columns, or cannot be read */
export async function readFingerprint(
  curated: Pick<ObjectStore, 'get'>,
  key: string,
  signal: AbortSignal,
): Promise<StoredJson<SchemaFingerprint> | undefined> {
  const found = await readJson(curated, key, schemaFingerprint, { signal }).catch(cause => {
    const isDamaged = isTaskError(cause, DataValidationError)
    const why = isDamaged ? 'must be as it was written, and is not' : 'could not be read'
    throw new SCHEMA_CHECK_FAILED(`the fingerprint ${key} ${why}`, { cause })
  })
  if (found === undefined || found.value.hash === schemaHash(found.value.columns)) return found
  throw new SCHEMA_CHECK_FAILED(`the hash of the fingerprint ${key} must be that of its columns, and is not`)
}
