import { randomBytes } from 'node:crypto'
import { SignatureV4 } from '@smithy/signature-v4'
import { provided } from '@stepwright/local-server/vitest'
import { inject } from 'vitest'
import { Sha256 } from '../s3/sha256.ts'
import type { S3 } from '../s3.ts'
import type {} from './provided.ts'

export interface TestBucket {
  /** For `new S3Client(clientConfig)`. */
  readonly clientConfig: Pick<S3, 'endpoint' | 'region' | 'credentials'>
  /** The name of an empty bucket. */
  readonly bucket: string
}

/** An empty bucket for the calling test file, on the S3 that the global setup `./vitest/setup` started. */
export async function testBucket(): Promise<TestBucket> {
  const clientConfig = provided(inject('stepwrightS3'), '@stepwright/local-s3/vitest/setup')
  const bucket = `test-${randomBytes(8).toString('hex')}`
  await createBucket(clientConfig, bucket)
  return { clientConfig, bucket }
}

async function createBucket(
  { endpoint, region, credentials }: TestBucket['clientConfig'],
  bucket: string,
): Promise<void> {
  const { protocol, hostname, host } = new URL(endpoint)
  const signer = new SignatureV4({ credentials, region, service: 's3', sha256: Sha256, uriEscapePath: false })
  const { method, path, headers } = await signer.sign({
    method: 'PUT',
    protocol,
    hostname,
    path: `/${bucket}`,
    headers: { host },
  })
  const response = await fetch(new URL(path, endpoint), { method, headers })
  if (!response.ok) throw new Error(`the bucket ${bucket} could not be created: ${await response.text()}`)
}
