import { randomBytes, randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import { createScratch, startLoopbackServer } from '@stepwright/local-server'
import type { Credentials } from './s3/authorize.ts'
import type { Callers } from './s3/callers.ts'
import { createPublisher, type ObjectCreatedListener } from './s3/events.ts'
import { handle } from './s3/handler.ts'
import type { CorsOrigins } from './s3/operation.ts'
import { openStore } from './s3/store.ts'

export type { S3Access, S3Caller } from './s3/callers.ts'
export type { ObjectCreatedEvent, ObjectCreatedListener, ObjectCreatedReason } from './s3/events.ts'

export interface S3Options {
  /** @default a free one */
  readonly port?: number
  /** Where objects outlive `stop()`. @default a temporary directory */
  readonly dataDirectory?: string
  /** The only ones whose signatures are accepted. @default a random secret, another at every start */
  readonly credentials?: Credentials
  /** Others whose signatures are accepted, by their access keys, and who may not do everything. @default none */
  readonly callers?: Callers
  /** @default 'us-east-1' */
  readonly region?: string
  /** Buckets to create if they are missing. */
  readonly buckets?: readonly string[]
  /** Where pages come from that may use a bucket by presigned URLs: `{ uploads: ['https://app.example'] }`. @default none */
  readonly corsOrigins?: CorsOrigins
  /** @default Date.now */
  readonly now?: () => number
}

export interface S3 extends AsyncDisposable {
  readonly endpoint: string
  readonly region: string
  readonly credentials: Credentials
  /** Calls the listener for each object that is put, copied or completed, before its writer gets the answer. */
  onObjectCreated(listener: ObjectCreatedListener): () => void
  /** Cuts all connections, and deletes all objects unless there is a `dataDirectory`. Later calls do nothing. */
  stop(): Promise<void>
}

function randomCredentials(): Credentials {
  return { accessKeyId: 'local', secretAccessKey: randomBytes(30).toString('base64url') }
}

/** Starts S3's wire protocol in this process, with objects as files, on loopback. */
export async function startS3({
  port = 0,
  dataDirectory,
  credentials = randomCredentials(),
  callers = {},
  region = 'us-east-1',
  buckets = [],
  corsOrigins = {},
  now = Date.now,
}: S3Options = {}): Promise<S3> {
  const scratch = dataDirectory === undefined ? await createScratch('s3') : undefined
  try {
    const store = await openStore(scratch?.path ?? resolve(dataDirectory ?? ''))
    const existing = new Set(store.buckets().map(({ name }) => name))
    for (const name of buckets) if (!existing.has(name)) await store.create(name, now())
    const publisher = createPublisher(region, now, randomUUID)
    const options = { store, publisher, now, region, credentials, callers, corsOrigins }
    const server = await startLoopbackServer(
      (request, response) => handle(request, response, options),
      port,
      { anyOrigin: true, expectsContinue: true },
    )

    let stopping: Promise<void> | undefined
    async function end(): Promise<void> {
      await server.close()
      await publisher.idle()
      await scratch?.remove()
    }
    function stop(): Promise<void> {
      stopping ??= end()
      return stopping
    }
    return {
      endpoint: server.endpoint,
      region,
      credentials,
      onObjectCreated: publisher.subscribe,
      stop,
      [Symbol.asyncDispose]: stop,
    }
  } catch (error) {
    await scratch?.remove()
    throw error
  }
}
