import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { DescribeExecutionCommand, paginateGetExecutionHistory, SFNClient } from '@aws-sdk/client-sfn'
import { chaosRounds } from '@stepwright/bench/chaos'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type DevProcess, startDev } from './test/dev-process.ts'
import { contentOf, csvOf } from './test/running-campaigns.ts'

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'stepwright-restart-'))
  await chmod(directory, 0o755) // as root, PostgreSQL runs as another user
})
afterEach(() => rm(directory, { recursive: true, force: true }))

const kills = chaosRounds(1)
const rows = kills > 1 ? 200_000 : 20_000

async function call(
  dev: DevProcess,
  method: string,
  path: string,
  body?: unknown,
): Promise<Record<string, string>> {
  const response = await fetch(`${dev.gateway}${path}`, {
    method,
    headers: { authorization: `Bearer ${dev.token}` },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const answer = (await response.json()) as Record<string, string>
  expect(response.ok, JSON.stringify(answer)).toBe(true)
  return answer
}

async function register(dev: DevProcess): Promise<string> {
  const { s3_key = '', presigned_url = '' } = await call(dev, 'GET', '/presigned-url')
  const headers = { 'content-type': 'text/csv' }
  const put = await fetch(presigned_url, { method: 'PUT', headers, body: csvOf(rows) })
  expect(put.status).toBe(200)
  const { campaign_id = '' } = await call(dev, 'POST', '/campaigns', contentOf(s3_key))
  return campaign_id
}

function sfnOf({ variables }: DevProcess): SFNClient {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' }
  return new SFNClient({
    endpoint: String(variables.get('AWS_ENDPOINT_URL_SFN')),
    region: 'us-east-1',
    credentials,
  })
}

const executions = 'arn:aws:states:us-east-1:000000000000:execution:campaign-import-import'

interface ImportEnd {
  readonly status: string
  /** Errors of tasks that failed, whatever came of it. */
  readonly failed: readonly string[]
  /** How often each Task state was left. */
  readonly done: Readonly<Record<string, number>>
}

async function endOf(client: SFNClient, executionArn: string): Promise<ImportEnd> {
  let status = 'RUNNING'
  while (status === 'RUNNING') {
    await sleep(50)
    status = (await client.send(new DescribeExecutionCommand({ executionArn }))).status ?? ''
  }
  const failed: string[] = []
  const done: Record<string, number> = {}
  const pages = paginateGetExecutionHistory({ client }, { executionArn, maxResults: 1000 })
  for await (const { events = [] } of pages) {
    for (const { type, taskFailedEventDetails: failure, stateExitedEventDetails: left } of events) {
      if (failure) failed.push(`${failure.error}: ${failure.cause}`)
      if (type === 'TaskStateExited') done[left?.name ?? ''] = (done[left?.name ?? ''] ?? 0) + 1
    }
  }
  return { status, failed, done }
}

describe('stepwright dev that is killed with SIGKILL', { timeout: 0 }, () => {
  it(`goes on with imports of ${rows} rows, ${kills} times, and runs nothing again that had finished`, async () => {
    let dev = await startDev(directory)
    const campaigns = [await register(dev)]
    for (let kill = 0; kill < kills; kill += 1) {
      await sleep(Math.random() * 400)
      await dev.kill()
      dev = await startDev(directory)
      const last = await call(dev, 'GET', `/campaigns/${campaigns.at(-1)}`)
      if (last['status'] !== '取込中' && kill < kills - 1) campaigns.push(await register(dev))
    }
    const client = sfnOf(dev)
    const pool = new pg.Pool({ connectionString: String(dev.variables.get('DATABASE_URL')) })
    try {
      for (const campaign of campaigns) {
        const end = await endOf(client, `${executions}:import-${campaign}-1`)
        expect(end).toMatchObject({ status: 'SUCCEEDED', failed: [] })
        expect(end.done).toMatchObject({ SplitCSV: 1, ImportChunk: rows / 5000, FinalizeImport: 1 })
        const { rows: counted } = await pool.query(
          'select count(*)::int as all, count(distinct email)::int as different from notification_recipients where campaign_id = $1',
          [campaign],
        )
        expect(counted).toEqual([{ all: rows, different: rows }])
      }
    } finally {
      await pool.end()
      client.destroy()
      await dev.kill()
    }
  })
})
