// The same Lambda as most teams write it: everything imported at the top.
import { IdempotencyConfig, makeIdempotent } from '@aws-lambda-powertools/idempotency'
import { DynamoDBPersistenceLayer } from '@aws-lambda-powertools/idempotency/dynamodb'
import { Logger } from '@aws-lambda-powertools/logger'
import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware'
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics'
import { logMetrics } from '@aws-lambda-powertools/metrics/middleware'
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3'
import middy from '@middy/core'
import { parse } from 'csv-parse/sync'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { z } from 'zod'
import type { NaiveDatabase } from './naive.ts'

const logger = new Logger({ serviceName: 'import-chunk' })
const metrics = new Metrics({ namespace: 'Typical', serviceName: 'import-chunk' })
const s3 = new S3Client({ region: 'us-east-1' })
const persistenceStore = new DynamoDBPersistenceLayer({ tableName: 'idempotency' })
const config = new IdempotencyConfig({ eventKeyJmesPath: '[campaign_id, chunk.key]' })
const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 1 })
const db = new Kysely<NaiveDatabase>({ dialect: new PostgresDialect({ pool }) })

const event = z.object({ campaign_id: z.string(), chunk: z.object({ key: z.string() }) })
const recipient = z.object({ email: z.email(), name: z.string().optional() })

const importChunk = makeIdempotent(
  async (given: unknown) => {
    const { campaign_id, chunk } = event.parse(given)
    const { Body } = await s3.send(
      new GetObjectCommand({ Bucket: process.env['BUCKET_NAME'], Key: chunk.key }),
    )
    const rows = parse((await Body?.transformToString()) ?? '', { columns: true }).map(row => {
      const { email, name = null } = recipient.parse(row)
      return { campaign_id, email, name }
    })
    await db.insertInto('naive_recipients').values(rows).execute()
    metrics.addMetric('Imported', MetricUnit.Count, rows.length)
    return { inserted: rows.length }
  },
  { persistenceStore, config },
)

export const handler = middy((given: unknown) => importChunk(given))
  .use(injectLambdaContext(logger))
  .use(logMetrics(metrics))
