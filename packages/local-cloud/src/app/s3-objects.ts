import { GetObjectCommand, PutObjectCommand, paginateListObjectsV2, type S3Client } from '@aws-sdk/client-s3'
import { type ObjectStorePort, TaskFailure } from '@stepwright/asl-engine'

/** Where Distributed Maps read their items and write their results: S3, as on AWS. */
export function createS3Objects(client: S3Client): ObjectStorePort {
  return {
    async *get(bucket, key) {
      try {
        const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }))
        yield* Body as unknown as AsyncIterable<Uint8Array>
      } catch (error) {
        throw toTaskFailure(error)
      }
    },
    async *list(bucket, prefix) {
      const pages = paginateListObjectsV2({ client }, { Bucket: bucket, ...(prefix && { Prefix: prefix }) })
      try {
        for await (const { Contents = [] } of pages) {
          for (const { Key = '', Size = 0, ETag = '', LastModified = new Date(0) } of Contents) {
            yield { key: Key, size: Size, etag: ETag, lastModified: LastModified }
          }
        }
      } catch (error) {
        throw toTaskFailure(error)
      }
    },
    async put(bucket, key, body) {
      try {
        const { ETag = '' } = await client.send(
          new PutObjectCommand({ Bucket: bucket, Key: key, Body: body }),
        )
        return { etag: ETag }
      } catch (error) {
        throw toTaskFailure(error)
      }
    },
  }
}

/** Step Functions names S3's errors `S3.NoSuchKeyException`. */
function toTaskFailure(error: unknown): TaskFailure {
  const { name, message } = error as Error
  return new TaskFailure(`S3.${name.endsWith('Exception') ? name : `${name}Exception`}`, message)
}
