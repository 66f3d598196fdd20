import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { inputBucket, localCloud } from '@stepwright/csv-processor/local'
import { startLocalCloud } from '@stepwright/local-cloud'

const log = `ユーザーID,ログイン回数,投稿回数
U00001,5,12
U00002,3,8
`

export async function processLog(): Promise<string | null> {
  const { prepare, ...resources } = localCloud()
  const { promise: output, resolve } = Promise.withResolvers<string | null>()
  await using cloud = await startLocalCloud({
    ...resources,
    onStatusChange: ({ detail }) => detail.status !== 'RUNNING' && resolve(detail.output),
  })
  await prepare?.(cloud)
  const s3 = new S3Client({})
  await s3.send(new PutObjectCommand({ Bucket: inputBucket, Key: 'data/user-log.csv', Body: log }))
  s3.destroy()
  return await output // { "status": "SUCCESS", …, "processing": { "totalRecords": 2, "successCount": 2, … } }
}
