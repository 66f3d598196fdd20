import { ownerAccount } from './refuse-headers.ts'
import { warn } from './warn.ts'

/** EventBridge's "Object Created" event, as S3 sends it. */
export interface ObjectCreatedEvent {
  readonly version: '0'
  readonly id: string
  readonly 'detail-type': 'Object Created'
  readonly source: 'aws.s3'
  readonly account: string
  /** ISO 8601, in seconds. */
  readonly time: string
  readonly region: string
  readonly resources: readonly string[]
  readonly detail: {
    readonly version: '0'
    readonly bucket: { readonly name: string }
    readonly object: {
      readonly key: string
      readonly size: number
      readonly etag: string
      /** Later events of the same key have greater ones. */
      readonly sequencer: string
    }
    readonly 'request-id': string
    readonly requester: string
    readonly 'source-ip-address': string
    readonly reason: ObjectCreatedReason
  }
}

export type ObjectCreatedReason = 'PutObject' | 'POST Object' | 'CopyObject' | 'CompleteMultipartUpload'
export type ObjectCreatedListener = (event: ObjectCreatedEvent) => void | Promise<void>

export interface Publisher {
  subscribe(listener: ObjectCreatedListener): () => void
  publish(created: {
    readonly bucket: string
    readonly key: string
    readonly size: number
    readonly etag: string
    readonly requestId: string
    readonly reason: ObjectCreatedReason
    /** The multipart upload that it came from. */
    readonly uploadId?: string
  }): void
  /** Whether this process published the object of that multipart upload; a kill may have come before. */
  hasPublished(uploadId: string): boolean
  /** Resolves when no listener is at work. */
  idle(): Promise<void>
}

export function createPublisher(region: string, now: () => number, newId: () => string): Publisher {
  const listeners = new Set<ObjectCreatedListener>()
  const working = new Set<Promise<void>>()
  const uploads = new Set<string>()
  let sequence = 0n

  async function deliver(listener: ObjectCreatedListener, event: ObjectCreatedEvent): Promise<void> {
    try {
      await listener(event)
    } catch (error) {
      // The object is stored and its writer must not suffer; silence would hide a broken listener.
      warn('a listener to "Object Created" failed', error)
    }
  }
  return {
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    publish({ bucket, key, size, etag, requestId, reason, uploadId }) {
      if (uploadId !== undefined) remember(uploads, uploadId)
      sequence += 1n
      const sequencer = `${now().toString(16).padStart(12, '0')}${sequence.toString(16).padStart(6, '0')}`
      const event: ObjectCreatedEvent = {
        version: '0',
        id: newId(),
        'detail-type': 'Object Created',
        source: 'aws.s3',
        account: ownerAccount,
        time: `${new Date(now()).toISOString().slice(0, 19)}Z`,
        region,
        resources: [`arn:aws:s3:::${bucket}`],
        detail: {
          version: '0',
          bucket: { name: bucket },
          object: { key, size, etag, sequencer: sequencer.toUpperCase() },
          'request-id': requestId,
          requester: ownerAccount,
          'source-ip-address': '127.0.0.1',
          reason,
        },
      }
      for (const listener of listeners) {
        const work = deliver(listener, event).finally(() => working.delete(work))
        working.add(work)
      }
    },
    hasPublished: uploadId => uploads.has(uploadId),
    async idle() {
      while (working.size > 0) await Promise.all(working)
    },
  }
}

const maxRemembered = 10_000

function remember(ids: Set<string>, id: string): void {
  ids.add(id)
  const [oldest = ''] = ids
  if (ids.size > maxRemembered) ids.delete(oldest)
}
