import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { app } from '@stepwright/csv-processor/app'
import { startApp } from '@stepwright/local-cloud'

const log = `ユーザーID,ログイン回数,投稿回数
U00001,5,12
U00002,3,8
`

export async function processLog(): Promise<string | null> {
  await using running = await startApp(app)
  const { endpoint, region, credentials } = running.services.s3
  const s3 = new S3Client({ endpoint, region, credentials })
  const ended = running.ended('process')
  await s3.send(
    new PutObjectCommand({ Bucket: 'csv-processing-bucket', Key: 'data/user-log.csv', Body: log }),
  )
  s3.destroy()
  const { output } = await ended
  return output // { "status": "SUCCESS", …, "processing": { "totalRecords": 2, "successCount": 2, … } }
}
