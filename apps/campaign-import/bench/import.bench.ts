import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn'
import { compare, figure } from '@stepwright/bench'
import { startLocalCloud } from '@stepwright/local-cloud'
import type { StatusChangeEvent } from '@stepwright/local-step-functions'
import pg from 'pg'
import { localCloud } from '../src/local.ts'
import { createNaive } from './naive.ts'
import { recipientsCsv, rowCount } from './recipients-csv.ts'

const bucket = 'campaigns'
const s3Key = 'uploads/bench.csv'
const { prepare, functions, stateMachines, ...rest } = localCloud()
const definition = stateMachines?.['import']?.definition ?? ''
type Execution = StatusChangeEvent['detail']
const ends = new Map<string, PromiseWithResolvers<Execution>>()
/** Heard of, not asked for: asking again and again would cost as much as the work. */
function endOf(arn: string): PromiseWithResolvers<Execution> {
  const end = ends.get(arn) ?? Promise.withResolvers<Execution>()
  ends.set(arn, end)
  return end
}

let naive: ReturnType<typeof createNaive>

// The same state machine for both, so that the orchestration costs the same.
await using cloud = await startLocalCloud({
  ...rest,
  onStatusChange({ detail }) {
    if (detail.status !== 'RUNNING') endOf(detail.executionArn).resolve(detail)
  },
  functions: {
    ...functions,
    NaiveDelete: { handler: event => naive.deleteExistingRecipients(event), timeoutSeconds: 300 },
    NaiveSplit: { handler: event => naive.splitCsv(event), timeoutSeconds: 300 },
    NaiveImport: { handler: event => naive.importChunk(event), timeoutSeconds: 300 },
    NaiveFinalize: { handler: event => naive.finalizeImport(event), timeoutSeconds: 300 },
  },
  stateMachines: {
    ...stateMachines,
    naive: {
      definition,
      substitutions: {
        DeleteExistingRecipients: 'NaiveDelete',
        SplitCSV: 'NaiveSplit',
        ImportChunk: 'NaiveImport',
        FinalizeImport: 'NaiveFinalize',
      },
    },
  },
})
await prepare?.(cloud)
naive = createNaive({ databaseUrl: cloud.postgres.url, bucket, sendArn: cloud.stateMachineArn('send') })
await naive.createTables()
const s3 = new S3Client({})
const sfn = new SFNClient({})
const pool = new pg.Pool({ connectionString: cloud.postgres.url, max: 1 })
await s3.send(
  new PutObjectCommand({ Bucket: bucket, Key: s3Key, Body: await readFile(await recipientsCsv()) }),
)

/** From StartExecution to the end of the execution. */
async function execute(machine: 'import' | 'naive', campaign_id: string): Promise<number> {
  const input = JSON.stringify({ campaign_id, revision: 1, s3_key: s3Key })
  const { executionArn } = await sfn.send(
    new StartExecutionCommand({ stateMachineArn: cloud.stateMachineArn(machine), input }),
  )
  const { status, output, cause } = await endOf(executionArn ?? '').promise
  if (status !== 'SUCCEEDED') throw new Error(`${machine} ${status}: ${cause}`)
  return JSON.parse(output ?? '{}').total_count
}

const times = await compare(
  `import of ${rowCount} recipients: the uploaded object to committed rows, all states`,
  {
    async ours() {
      const campaign_id = randomUUID()
      await pool.query(
        `insert into notification_campaigns (campaign_id, owner_id, registration_key, registration_hash, subject,
          body_html, body_text, from_address, scheduled_at, s3_key, status)
         values ($1, 'bench', $2, '', 's', 'h', 't', 'a@example.jp', '2099-01-01T00:00:00Z', $3, '取込中')`,
        [campaign_id, campaign_id, s3Key],
      )
      return execute('import', campaign_id)
    },
    async naive() {
      const campaign_id = randomUUID()
      await pool.query(`insert into naive_campaigns (campaign_id, status) values ($1, '取込中')`, [
        campaign_id,
      ])
      return execute('naive', campaign_id)
    },
  },
  {
    rounds: 5,
    before: async () => {
      await pool.query('truncate notification_recipients, naive_recipients, stepwright_chunk_ledger')
      await pool.query('checkpoint')
    },
  },
)
const seconds = times.ours.medianMs / 1000
console.log(
  `  ${seconds.toFixed(2)} s, ${Math.round(rowCount / seconds)} rows/s; the design estimates 24 to 33 s`,
)
figure('campaign.vs_naive', times.naive.medianMs / times.ours.medianMs, { atLeast: 3 })

const { close } = await import('../src/handlers.ts')
await Promise.all([close(), naive.close(), pool.end()])
s3.destroy()
sfn.destroy()
