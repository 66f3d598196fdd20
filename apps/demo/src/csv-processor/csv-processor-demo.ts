import assert from 'node:assert/strict'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { SFNClient } from '@aws-sdk/client-sfn'
import { createAuditLog, parseAuditKeys, type VerifyResult } from '@stepwright/audit-log'
import { createDynamoDbAuditStore } from '@stepwright/audit-log/dynamodb'
import { createProgressDisplay, watchExecution } from '@stepwright/cli/execution'
import { app } from '@stepwright/csv-processor/app'
import { type RunningApp, startApp } from '@stepwright/local-cloud'
import type { Screen } from '../screen.ts'
import { userLogCsv } from './user-log-csv.ts'

/** The CSV workflow on this machine's cloud: 1,000 rows, 12 of them bad. What it prints, it also asserts. */
export async function showCsvProcessor(screen: Screen): Promise<void> {
  screen.title('7. The CSV workflow: an upload starts it, every row is reflected once and audited')
  const { promise: started, resolve } = Promise.withResolvers<{ executionArn: string; name: string }>()
  await using running = await startApp(app, {
    environment: { POWERTOOLS_LOG_LEVEL: 'SILENT' },
    onStatusChange: ({ detail }) => resolve(detail),
  })
  const { services, names } = running
  const { endpoint, region, credentials } = services.s3
  const s3 = new S3Client({ endpoint, region, credentials })
  const sfn = new SFNClient(services.stepFunctions.clientConfig)
  try {
    const Body = userLogCsv(1000, 80)
    const Key = 'data/user-log-20240802-001.csv'
    await s3.send(new PutObjectCommand({ Bucket: names.buckets['input'], Key, Body }))
    const { executionArn, name } = await started
    const display = createProgressDisplay(screen.write, screen.terminal)
    const { status, output } = await watchExecution(sfn, executionArn, { onProgress: display.show })
    assert.equal(status, 'SUCCEEDED')
    const result = JSON.parse(output ?? '')
    assert.deepEqual([result.processing.successCount, result.processing.errorCount], [988, 12])
    screen.line(`execution ${name}: 988 rows reflected, 12 set apart in a CSV to correct and upload again:`)
    const rejected = await s3.send(
      new GetObjectCommand({ Bucket: names.buckets['output'], Key: `results/${name}/rejected.csv` }),
    )
    const lines = ((await rejected.Body?.transformToString()) ?? '').trim().split(/\r?\n/)
    for (const line of lines.slice(0, 4)) screen.line(`  ${line}`)
    const verified = await verifyTrail(running, name)
    assert.ok(verified.ok)
    screen.line(`the audit trail has ${verified.entries} entries, and its chain verifies`)
  } finally {
    s3.destroy()
    sfn.destroy()
  }
}

async function verifyTrail(
  { services, names, environmentOf }: RunningApp,
  executionId: string,
): Promise<VerifyResult> {
  const { endpoint, region, credentials } = services.dynamoDb
  const client = new DynamoDBClient({ endpoint, region, credentials })
  try {
    const store = createDynamoDbAuditStore({ client, tableName: names.tables['audit'] ?? '' })
    const keys = parseAuditKeys(environmentOf('CsvProcessor')['AUDIT_KEYS_SECRET'] ?? '')
    const sealKeys = parseAuditKeys(environmentOf('SealTrail')['SEAL_KEYS_SECRET'] ?? '')
    return await createAuditLog({ store, keys, sealKeys }).verify(executionId)
  } finally {
    client.destroy()
  }
}
