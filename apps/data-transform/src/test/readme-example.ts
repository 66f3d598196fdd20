import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import type { RunningApp } from '@stepwright/local-cloud'

/** `await using running = await startApp(app)` is one. */
export async function transformDay(running: RunningApp) {
  const { endpoint, region, credentials } = running.services.s3
  const s3 = new S3Client({ endpoint, region, credentials })
  const Key = 'daily-prices-data/orders/ds=2025-09-07/orders.csv'
  const Body = 'order_id,price\n1,2.50\n2,3.75\n'
  await s3.send(new PutObjectCommand({ Bucket: 'data-transform-raw', Key, Body }))
  s3.destroy()
  const input = { environment: 'dev', domain: 'daily-prices-data', table_name: 'orders', ds: '2025-09-07' }
  await running.start('transform', input, 'readme')
  const { output } = await running.ended('transform', 'readme')
  return output // { "ok": true, "partitions": ["ds=2025-09-07"], "stats": { "rowCount": 2, … }, … }
}
