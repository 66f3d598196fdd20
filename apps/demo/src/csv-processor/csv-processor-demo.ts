import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { ListExecutionsCommand, SFNClient } from '@aws-sdk/client-sfn'
import { createProgressDisplay, watchExecution } from '@stepwright/cli/execution'
import {
  composeLocally,
  inputBucket,
  localCloud,
  outputBucket,
  stateMachineName,
} from '@stepwright/csv-processor/local'
import { type LocalCloud, startLocalCloud } from '@stepwright/local-cloud'
import type { Screen } from '../screen.ts'
import { userLogCsv } from './user-log-csv.ts'

/** The CSV workflow on this machine's cloud: 1,000 rows, 12 of them bad. What it prints, it also asserts. */
export async function showCsvProcessor(screen: Screen): Promise<void> {
  screen.title('6. The CSV workflow: an upload starts it, every row is reflected once and audited')
  const { prepare, ...resources } = localCloud()
  await using cloud = await startLocalCloud(resources)
  await prepare?.(cloud)
  const s3 = new S3Client({})
  const sfn = new SFNClient(cloud.stepFunctions.clientConfig)
  await using ports = composeLocally()
  try {
    const Body = userLogCsv(1000, 80)
    await s3.send(new PutObjectCommand({ Bucket: inputBucket, Key: 'data/user-log-20240802-001.csv', Body }))
    const { executionArn, name } = await newest(sfn, cloud)
    const display = createProgressDisplay(screen.write, screen.terminal)
    const { status, output } = await watchExecution(sfn, executionArn, { onProgress: display.show })
    assert.equal(status, 'SUCCEEDED')
    const result = JSON.parse(output ?? '')
    assert.deepEqual([result.processing.successCount, result.processing.errorCount], [988, 12])
    screen.line(`execution ${name}: 988 rows reflected, 12 set apart in a CSV to correct and upload again:`)
    const rejected = await s3.send(
      new GetObjectCommand({ Bucket: outputBucket, Key: `results/${name}/rejected.csv` }),
    )
    const lines = ((await rejected.Body?.transformToString()) ?? '').trim().split(/\r?\n/)
    for (const line of lines.slice(0, 4)) screen.line(`  ${line}`)
    const verified = await ports.audit.verify(name)
    assert.ok(verified.ok)
    screen.line(`the audit trail has ${verified.entries} entries, and its chain verifies`)
  } finally {
    s3.destroy()
    sfn.destroy()
  }
}

async function newest(sfn: SFNClient, cloud: LocalCloud): Promise<{ executionArn: string; name: string }> {
  const stateMachineArn = cloud.stateMachineArn(stateMachineName)
  for (let polls = 0; polls < 100; polls += 1) {
    const { executions = [] } = await sfn.send(new ListExecutionsCommand({ stateMachineArn }))
    const [{ executionArn, name } = {}] = executions
    if (executionArn !== undefined && name !== undefined) return { executionArn, name }
    await wait(100)
  }
  throw new Error('the upload started nothing')
}
