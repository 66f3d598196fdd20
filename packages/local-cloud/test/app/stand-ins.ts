import { once } from 'node:events'
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3'

interface JobRun {
  readonly JobName: string
  readonly Arguments: { readonly '--how': string }
}

/** A job that writes to the bucket, as the one that is deployed does; a hanging one waits to be killed or stopped. */
export async function startJobRun(
  { JobName, Arguments }: JobRun,
  { signal }: { signal: AbortSignal },
): Promise<object> {
  const client = new S3Client({ forcePathStyle: true })
  const Bucket = String(process.env['OUTPUT'])
  if (Arguments['--how'] === 'hang') {
    await client.send(new PutObjectCommand({ Bucket, Key: 'hanging', Body: '' }))
    if (!signal.aborted) await once(signal, 'abort')
    await client.send(new PutObjectCommand({ Bucket, Key: 'stopped', Body: '' }))
  }
  if (Arguments['--how'] === 'fail')
    return { JobRunState: 'FAILED', ErrorMessage: `${JobName} found no rows` }
  await client.send(new PutObjectCommand({ Bucket, Key: JobName, Body: 'rows' }))
  return { ExecutionTime: 3 }
}
