import { randomUUID } from 'node:crypto'
import { HeadObjectCommand, type S3Client } from '@aws-sdk/client-s3'
import type { PutOptions, PutResult } from './object-store.ts'

/** User metadata that tells a conditional write from others. */
export type WriteMark = Readonly<Record<'write-id', string>>

/** Undefined for a write without conditions, which may simply be repeated. */
export function markWrite({ ifMatch, ifNoneMatch }: PutOptions): WriteMark | undefined {
  return ifMatch === undefined && ifNoneMatch === undefined ? undefined : { 'write-id': randomUUID() }
}

/**
 * What the call itself has stored, where its condition failed: when S3's answer is lost, the SDK tries again, and
 * finds the object of the first try.
 */
export async function findOwnWrite(
  error: unknown,
  mark: WriteMark | undefined,
  client: S3Client,
  place: { readonly Bucket: string; readonly Key: string },
): Promise<PutResult | undefined> {
  const { attempts = 1, httpStatusCode = 0 } =
    (error as { $metadata?: { attempts?: number; httpStatusCode?: number } }).$metadata ?? {}
  // 404: there is no such multipart upload any more.
  if (mark === undefined || attempts === 1 || ![404, 412].includes(httpStatusCode)) return undefined
  const found = await client.send(new HeadObjectCommand(place)).catch(() => undefined)
  if (found?.Metadata?.['write-id'] !== mark['write-id']) return undefined
  return { etag: found.ETag ?? '', ...(found.VersionId && { versionId: found.VersionId }) }
}
