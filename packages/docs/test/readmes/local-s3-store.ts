import { S3Client } from '@aws-sdk/client-s3'
import { testBucket } from '@stepwright/local-s3/vitest'
import { afterAll } from 'vitest'

const { clientConfig, bucket } = await testBucket()
const s3 = new S3Client(clientConfig)
afterAll(() => s3.destroy())

export { bucket }
