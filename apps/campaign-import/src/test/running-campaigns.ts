import {
  ListExecutionsCommand,
  RedriveExecutionCommand,
  SFNClient,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn'
import { type StartAppOptions, startApp } from '@stepwright/local-cloud'
import pg from 'pg'
import { expect, vi } from 'vitest'
import { app } from '../app.ts'
import type { CampaignStatus } from '../campaign.ts'
import type { CampaignContent } from '../campaigns.ts'

interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: whatever the API says
  readonly data: any
  // biome-ignore lint/suspicious/noExplicitAny: problem details
  readonly problem: any
}

export type RunningCampaigns = Awaited<ReturnType<typeof startCampaigns>>

const environment = {
  MAX_SEND_RATE: '200',
  POWERTOOLS_LOG_LEVEL: 'CRITICAL',
}

/** The app on this machine, with an HTTP client and a database client. */
export async function startCampaigns(
  mailbox: StartAppOptions['mailbox'] = {},
  options: Pick<StartAppOptions, 'enforcePolicies' | 'definitions'> = {},
) {
  const running = await startApp(app, { mailbox, environment, enforcePolicies: true, ...options })
  const { gateway, services } = running
  const sfn = new SFNClient(services.stepFunctions.clientConfig)
  const pool = new pg.Pool({ connectionString: services.postgres.url, max: 2 })
  pool.on('error', () => {}) // tests restart the server

  async function call(method: string, path: string, body?: unknown, user = 'ann'): Promise<Answer> {
    const response = await fetch(`${gateway?.endpoint}${path}`, {
      method,
      headers: { authorization: `Bearer ${gateway?.issueToken({ sub: user })}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    // biome-ignore lint/suspicious/noExplicitAny: see above
    const answer = (await response.json()) as any
    return { status: response.status, data: answer, problem: answer }
  }

  async function upload(csv: string | Uint8Array, user = 'ann'): Promise<string> {
    const body = typeof csv === 'string' ? Buffer.from(csv) : Uint8Array.from(csv)
    const { data } = await call('GET', `/presigned-url?content_length=${body.length}`, undefined, user)
    const headers = { 'content-type': 'text/csv' }
    const put = await fetch(data.presigned_url, { method: 'PUT', headers, body })
    expect(put.status).toBe(200)
    return data.s3_key
  }

  const show = async (id: string): Promise<Answer['data']> => (await call('GET', `/campaigns/${id}`)).data

  /** POST or PUT of a campaign, in so many milliseconds: later if the call itself took longer than that. */
  async function save(
    method: 'POST' | 'PUT',
    path: string,
    s3_key: string,
    inMs?: number,
    changes: object = {},
  ): Promise<Answer> {
    const answer = await call(method, path, { ...contentOf(s3_key, inMs), ...changes })
    const isLate = answer.status === 400 && JSON.stringify(answer.problem).includes('must be in the future')
    return isLate && inMs !== undefined ? save(method, path, s3_key, 2 * inMs, changes) : answer
  }

  /** Uploads a CSV and posts a campaign with it; the campaign's id. */
  async function register(csv: string | Uint8Array, inMs?: number): Promise<string> {
    const { status, data, problem } = await save('POST', '/campaigns', await upload(csv), inMs)
    expect([status, problem]).toEqual([202, { campaign_id: expect.any(String) }])
    return data.campaign_id
  }

  async function waitForStatus(id: string, wanted: CampaignStatus): Promise<Answer['data']> {
    return vi.waitFor(
      async () => {
        const campaign = await show(id)
        expect(campaign.status).toBe(wanted)
        return campaign
      },
      { timeout: 60_000, interval: 50 },
    )
  }

  /** The executions of a campaign, oldest first, as `name → status`. */
  async function executions(machine: 'import' | 'send', id: string): Promise<Record<string, string>> {
    const stateMachineArn = running.stateMachineArn(machine)
    const { executions: all = [] } = await sfn.send(new ListExecutionsCommand({ stateMachineArn }))
    const own = all.filter(({ name }) => name?.includes(id)).toReversed()
    return Object.fromEntries(own.map(({ name = '', status = '' }) => [name.replace(`-${id}`, ''), status]))
  }

  const arnOf = (machine: 'import' | 'send', id: string, revision = 1): string =>
    `${running.stateMachineArn(machine).replace(':stateMachine:', ':execution:')}:${machine}-${id}-${revision}`

  /** Waits for the end of a campaign's execution; its status. */
  const finished = async (machine: 'import' | 'send', id: string, revision = 1): Promise<string> =>
    (await running.ended(machine, `${machine}-${id}-${revision}`)).status

  return {
    ...running,
    call,
    upload,
    save,
    register,
    show,
    waitForStatus,
    executions,
    arnOf,
    finished,
    stopExecution: (executionArn: string) => sfn.send(new StopExecutionCommand({ executionArn })),
    redrive: (executionArn: string) => sfn.send(new RedriveExecutionCommand({ executionArn })),
    async query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
      return (await pool.query(text, values)).rows
    },
    async recipientsOf(id: string) {
      const rows = await pool.query(
        'select email, name, send_status from notification_recipients where campaign_id = $1 order by email',
        [id],
      )
      return rows.rows as { email: string; name: string | null; send_status: string }[]
    },
    /** As if a sender had died after claiming a recipient whom it in truth has sent to. */
    async loseSightOf(id: string, email: string): Promise<void> {
      const recipient =
        'update notification_recipients set send_status = $3 where campaign_id = $1 and email = $2'
      await pool.query(recipient, [id, email, 'unconfirmed'])
      const counts = 'set unconfirmed_count = unconfirmed_count + 1, sent_count = sent_count - 1'
      await pool.query(`update notification_campaigns ${counts} where campaign_id = $1`, [id])
    },
    async stop() {
      await pool.end()
      sfn.destroy()
      await running.stop()
    },
  }
}

/** In an hour, unless a test says otherwise. */
export function contentOf(s3_key: string, inMs = 3_600_000): Omit<CampaignContent, 'from_name' | 's3_etag'> {
  return {
    subject: 'お知らせ',
    body_html: '<p>こんにちは</p>',
    body_text: 'こんにちは',
    from_address: 'お店 <news@example.jp>',
    scheduled_at: new Date(Date.now() + inMs).toISOString(),
    s3_key,
  }
}

export function csvOf(count: number, prefix = 'user'): string {
  return `email,name\n${Array.from({ length: count }, (_, index) => `${prefix}${index}@example.jp,User ${index}\n`).join('')}`
}
