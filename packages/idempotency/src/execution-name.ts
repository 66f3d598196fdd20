import { createHash } from 'node:crypto'
import { DataValidationError } from '@stepwright/errors'
import { canonicalJson } from '@stepwright/errors/json'

/** What an event says about one version of an object; all of it is the sender's word. */
interface ObjectFacts {
  readonly key?: unknown
  readonly 'version-id'?: unknown
  readonly versionId?: unknown
  readonly etag?: unknown
  readonly eTag?: unknown
  readonly sequencer?: unknown
}

/** EventBridge's "Object Created". */
export interface S3EventBridgeEvent {
  readonly detail: { readonly bucket: { readonly name: string }; readonly object: ObjectFacts }
}

/** One record of S3's own notifications, whose keys are URL-encoded. */
export interface S3NotificationRecord {
  readonly s3: { readonly bucket: { readonly name: string }; readonly object: ObjectFacts }
}

export interface S3NotificationEvent {
  readonly Records: readonly S3NotificationRecord[]
}

const maxName = 80
const hashLength = 16

/**
 * The Step Functions execution name for one version of an S3 object: readable, at most 80 characters of
 * `[0-9A-Za-z-]`, and always the same for that version, however often and by whichever route its event
 * arrives, so that Step Functions itself refuses the second start. Another bucket, key or version has another.
 * @throws DataValidationError for an event that does not name exactly one object version
 */
export function executionName(
  event: S3EventBridgeEvent | S3NotificationRecord | S3NotificationEvent,
): string {
  const { bucket, key, version } = identify(event)
  const hash = shortHash(canonicalJson([bucket, key, ...version]))
  const readable = sanitise(key)
    .slice(0, maxName - hashLength - 1)
    .replace(/-$/, '')
  return `${readable || 'object'}-${hash}`
}

function identify(event: unknown): { bucket: string; key: string; version: readonly string[] } {
  const { Records: records } = event as Partial<S3NotificationEvent>
  if (records !== undefined && records.length !== 1) {
    throw new DataValidationError(`an execution name is for one object, and the event has ${records.length}`)
  }
  const { s3, detail } = (records?.[0] ?? event) as Partial<S3EventBridgeEvent & S3NotificationRecord>
  const { bucket, object } = s3 ?? detail ?? {}
  const key = text(object?.key)
  if (object === undefined || key === undefined || text(bucket?.name) === undefined) {
    throw new DataValidationError('the event names no S3 bucket and object key')
  }
  const version = versionOf(object)
  if (version.length === 0) {
    throw new DataValidationError(
      'the event has no versionId, etag or sequencer to tell object versions apart',
    )
  }
  return { bucket: String(bucket?.name), key: s3 ? decodeKey(key) : key, version }
}

/** A version id says it all. Without versioning, the etag stands for the content and the sequencer for the upload. */
function versionOf(object: ObjectFacts): readonly string[] {
  const versionId = text(object['version-id'] ?? object.versionId)
  // S3 says "null" for objects that were written while versioning was suspended.
  if (versionId !== undefined && versionId !== 'null') return ['version', versionId]
  const etag = text(object.etag ?? object.eTag)?.replaceAll('"', '')
  const sequencer = text(object.sequencer)
  return [...(etag ? ['etag', etag] : []), ...(sequencer ? ['sequencer', sequencer] : [])]
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function decodeKey(key: string): string {
  try {
    return decodeURIComponent(key.replaceAll('+', ' '))
  } catch (cause) {
    throw new DataValidationError(`the object key ${key} is not URL-encoded as S3 does it`, { cause })
  }
}

/** `data/user-log-20240802-001.csv` → `user-log-20240802-001`, `input/report_2024_08_02.csv` → `report-2024-08-02` */
function sanitise(key: string): string {
  const file = key.slice(key.lastIndexOf('/') + 1)
  return file
    .replace(/\.[^.]*$/, '')
    .replace(/[^0-9A-Za-z]+/g, '-')
    .replace(/^-|-$/g, '')
}

/** 80 bits of SHA-256, five to a letter: two of a billion names meet once in two million times. */
function shortHash(value: string): string {
  const digest = createHash('sha256').update(value).digest()
  return Array.from({ length: hashLength }, (_, index) => letterAt(digest, index * 5)).join('')
}

function letterAt(digest: Buffer, bit: number): string {
  const pair = digest.readUInt16BE(bit >> 3)
  return 'abcdefghijklmnopqrstuvwxyz234567'.charAt((pair >> (11 - (bit & 7))) & 31)
}
