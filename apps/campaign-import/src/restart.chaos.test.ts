import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { DescribeExecutionCommand, paginateGetExecutionHistory, SFNClient } from '@aws-sdk/client-sfn'
import { chaosRounds } from '@stepwright/bench/chaos'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
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
const recipients = kills > 1 ? 2000 : 300
/** What a sender takes at once, and loses sight of if it is killed. */
const maxStep = 50

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

async function register(dev: DevProcess, count: number, inMs?: number): Promise<string> {
  const body = Buffer.from(csvOf(count))
  const place = await call(dev, 'GET', `/presigned-url?content_length=${body.length}`)
  const { s3_key = '', presigned_url = '' } = place
  const headers = { 'content-type': 'text/csv' }
  const put = await fetch(presigned_url, { method: 'PUT', headers, body })
  expect(put.status).toBe(200)
  const { campaign_id = '' } = await call(dev, 'POST', '/campaigns', contentOf(s3_key, inMs))
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

function arnOf(workflow: 'import' | 'send', campaign: string): string {
  return `arn:aws:states:us-east-1:000000000000:execution:campaign-import-${workflow}:${workflow}-${campaign}-1`
}

interface End {
  readonly status: string
  /** Errors of tasks that failed, whatever came of it. */
  readonly failed: readonly string[]
  /** How often each Task state was left. */
  readonly done: Readonly<Record<string, number>>
}

async function endOf(client: SFNClient, executionArn: string): Promise<End> {
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

/** Kills and starts again at random moments, with a campaign at work at each: all campaigns, and the last start. */
async function killAgainAndAgain(
  atWork: readonly string[],
  maxAliveMs: number,
  begin: (dev: DevProcess) => Promise<string>,
): Promise<{ dev: DevProcess; campaigns: readonly string[] }> {
  let dev = await startDev(directory)
  const campaigns = [await begin(dev)]
  for (let kill = 0; kill < kills; kill += 1) {
    await sleep(Math.random() * maxAliveMs)
    await dev.kill()
    dev = await startDev(directory)
    const { status = '' } = await call(dev, 'GET', `/campaigns/${campaigns.at(-1)}`)
    if (!atWork.includes(status) && kill < kills - 1) campaigns.push(await begin(dev))
  }
  return { dev, campaigns }
}

/** Who got how many messages of a campaign. */
async function messagesOf(campaign: string): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  const lines = (await readFile(join(directory, 'mailbox', 'messages.jsonl'), 'utf8')).trimEnd().split('\n')
  for (const line of lines) {
    const { to, tags } = JSON.parse(line) as { to: [string]; tags: Record<string, string> }
    if (tags['campaign_id'] === campaign) counts.set(to[0], (counts.get(to[0]) ?? 0) + 1)
  }
  return counts
}

async function statesOf(pool: pg.Pool, campaign: string): Promise<ReadonlyMap<string, string>> {
  const { rows: found } = await pool.query<{ email: string; send_status: string }>(
    'select email, send_status from notification_recipients where campaign_id = $1',
    [campaign],
  )
  return new Map(found.map(({ email, send_status }) => [email, send_status]))
}

describe('stepwright dev that is killed with SIGKILL', { timeout: 0 }, () => {
  it(`goes on with imports of ${rows} rows, ${kills} times, and runs nothing again that had finished`, async () => {
    const { dev, campaigns } = await killAgainAndAgain(['取込中'], 400, started => register(started, rows))
    const client = sfnOf(dev)
    const pool = new pg.Pool({ connectionString: String(dev.variables.get('DATABASE_URL')) })
    try {
      for (const campaign of campaigns) {
        const end = await endOf(client, arnOf('import', campaign))
        expect(end).toMatchObject({ status: 'SUCCEEDED', failed: [] })
        expect(end.done).toMatchObject({ SplitCSV: 1, ImportChunk: rows / 5000, FinalizeImport: 1 })
        expect((await statesOf(pool, campaign)).size).toBe(rows)
      }
    } finally {
      await pool.end()
      client.destroy()
      await dev.kill()
    }
  })

  it(`goes on with sends to ${recipients}, ${kills} times: nobody twice, nobody missed but who was in flight`, async () => {
    const { dev, campaigns } = await killAgainAndAgain(
      ['取込中', '送信予約済', '送信中'],
      1500,
      async started => {
        const campaign = await register(started, recipients, 2000)
        await vi.waitFor(
          async () =>
            expect(await call(started, 'GET', `/campaigns/${campaign}`)).toMatchObject({ status: '送信中' }),
          { timeout: 60_000, interval: 20 },
        )
        return campaign
      },
    )
    const client = sfnOf(dev)
    const pool = new pg.Pool({ connectionString: String(dev.variables.get('DATABASE_URL')) })
    try {
      let unconfirmed = 0
      for (const campaign of campaigns) {
        const end = await endOf(client, arnOf('send', campaign))
        expect(end).toMatchObject({ status: 'SUCCEEDED', failed: [] })
        expect(end.done).toMatchObject({ BeginSending: 1, FinishSending: 1 })
        const states = await statesOf(pool, campaign)
        const messages = await messagesOf(campaign)
        expect(states.size).toBe(recipients)
        expect([...messages.values()].filter(count => count > 1)).toEqual([])
        const inState = (...wanted: string[]) =>
          [...states].flatMap(([email, each]) => (wanted.includes(each) ? [email] : []))
        expect(inState('sent').filter(email => !messages.has(email))).toEqual([])
        expect(inState('sent').length + inState('sending', 'unconfirmed').length).toBe(recipients)
        unconfirmed += inState('sending', 'unconfirmed').length
        const { sending } = (await call(dev, 'GET', `/campaigns/${campaign}`)) as { sending?: unknown }
        expect(sending).toMatchObject({
          sent: inState('sent').length,
          unconfirmed: inState('sending', 'unconfirmed').length,
        })
      }
      expect(unconfirmed).toBeLessThanOrEqual(kills * maxStep)
    } finally {
      await pool.end()
      client.destroy()
      await dev.kill()
    }
  })
})
