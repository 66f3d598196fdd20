import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn'
import { parse } from 'csv-parse'
import { parse as parseSync } from 'csv-parse/sync'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { z } from 'zod'

/**
 * The same four states as a competent team would write them in an afternoon: csv-parse, chunk files in S3, kysely's
 * multi-row inserts. No exactly-once, no revisions, no byte ranges, no COPY, one encoding.
 */
export interface NaiveDatabase {
  naive_campaigns: {
    campaign_id: string
    status: string
    total_count: number | null
    execution_arn: string | null
  }
  naive_recipients: { campaign_id: string; email: string; name: string | null }
}

interface CampaignEvent {
  readonly campaign_id: string
}

const recipient = z.object({ email: z.email(), name: z.string().optional() })
const rowsPerChunk = 5000
const rowsPerInsert = 1000

function createNaive(settings: { databaseUrl: string; bucket: string; sendArn: string }) {
  const s3 = new S3Client({})
  const sfn = new SFNClient({})
  const pool = new pg.Pool({ connectionString: settings.databaseUrl, max: 5 })
  const db = new Kysely<NaiveDatabase>({ dialect: new PostgresDialect({ pool }) })

  return {
    async createTables() {
      await sql`create table naive_campaigns (campaign_id uuid primary key, status text not null,
        total_count integer, execution_arn text)`.execute(db)
      await sql`create table naive_recipients (campaign_id uuid not null, email text collate "C" not null, name text,
        send_status text not null default 'pending', message_id text, bounce_reason text,
        primary key (campaign_id, email))`.execute(db)
    },

    async deleteExistingRecipients({ campaign_id }: CampaignEvent) {
      await db.deleteFrom('naive_recipients').where('campaign_id', '=', campaign_id).execute()
      return {}
    },

    async splitCsv({ id, key: s3Key }: { id: string; key: string }) {
      const { Body } = await s3.send(new GetObjectCommand({ Bucket: settings.bucket, Key: s3Key }))
      const parser = (Body as NodeJS.ReadableStream).pipe(parse({ columns: true, bom: true }))
      const chunks: { key: string }[] = []
      let rows: { email: string; name: string }[] = []
      const flush = async () => {
        const key = `chunks/${id}/chunk_${String(chunks.length).padStart(3, '0')}.csv`
        const lines = rows.map(({ email, name }) => `${email},"${name.replaceAll('"', '""')}"`)
        const text = `email,name\n${lines.join('\n')}\n`
        await s3.send(new PutObjectCommand({ Bucket: settings.bucket, Key: key, Body: text }))
        chunks.push({ key })
        rows = []
      }
      for await (const row of parser) {
        rows.push(row)
        if (rows.length === rowsPerChunk) await flush()
      }
      if (rows.length > 0) await flush()
      return { file: {}, chunks }
    },

    async importChunk({ campaign_id, chunk }: CampaignEvent & { chunk: { key: string } }) {
      const { Body } = await s3.send(new GetObjectCommand({ Bucket: settings.bucket, Key: chunk.key }))
      const rows = parseSync((await Body?.transformToString()) ?? '', { columns: true }).map(row => {
        const { email, name = null } = recipient.parse(row)
        return { campaign_id, email: email.toLowerCase(), name }
      })
      for (let start = 0; start < rows.length; start += rowsPerInsert) {
        await db
          .insertInto('naive_recipients')
          .values(rows.slice(start, start + rowsPerInsert))
          .onConflict(conflict => conflict.doNothing())
          .execute()
      }
      return { inserted: rows.length }
    },

    async summarizeImport({ campaign_id }: CampaignEvent) {
      const { total } = await db
        .selectFrom('naive_recipients')
        .select(eb => eb.fn.countAll<string>().as('total'))
        .where('campaign_id', '=', campaign_id)
        .executeTakeFirstOrThrow()
      return { total_count: Number(total), duplicate_count: 0, rejected_count: 0, rejected_rows: [] }
    },

    async finalizeImport({ campaign_id, counts }: CampaignEvent & { counts: { total_count: number } }) {
      const { total_count } = counts
      const campaign = db.updateTable('naive_campaigns').where('campaign_id', '=', campaign_id)
      await campaign.set({ status: '送信予約済', total_count }).execute()
      return { ...counts, scheduled_at: '2099-01-01T00:00:00Z' }
    },

    async startSending({ campaign_id, ...rest }: CampaignEvent) {
      const input = JSON.stringify({ campaign_id, ...rest })
      const { executionArn = '' } = await sfn.send(
        new StartExecutionCommand({ stateMachineArn: settings.sendArn, input }),
      )
      const campaign = db.updateTable('naive_campaigns').where('campaign_id', '=', campaign_id)
      await campaign.set({ execution_arn: executionArn }).execute()
      return { executionArn }
    },
  }
}

const { DATABASE_URL = '', CAMPAIGNS_BUCKET = '', SEND_WORKFLOW_ARN = '' } = process.env
const naive = createNaive({
  databaseUrl: DATABASE_URL,
  bucket: CAMPAIGNS_BUCKET,
  sendArn: SEND_WORKFLOW_ARN,
})
export const {
  createTables,
  deleteExistingRecipients,
  splitCsv,
  importChunk,
  summarizeImport,
  finalizeImport,
  startSending,
} = naive
