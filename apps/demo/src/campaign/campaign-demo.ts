import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { ListExecutionsCommand, SFNClient } from '@aws-sdk/client-sfn'
import { app } from '@stepwright/campaign-import'
import { createProgressDisplay, type WatchedExecution, watchExecution } from '@stepwright/cli/execution'
import { type FunctionCall, startApp } from '@stepwright/local-cloud'
import type { Screen } from '../screen.ts'
import { createCampaignApi } from './campaign-api.ts'
import { brokenCsv, recipientsCsv } from './recipients-csv.ts'

const recipients = 200_000
function nextWeek(): string {
  return new Date(Date.now() + 7 * 86_400_000).toISOString()
}

/** The campaign import on this machine's cloud. Every claim it prints, it also asserts. */
export async function showCampaignImport(screen: Screen): Promise<void> {
  screen.title('6. The campaign import, on a cloud of this machine')
  const calls: FunctionCall[] = []
  await using cloud = await start(call => calls.push(call))
  screen.line('PostgreSQL, S3, Step Functions, an HTTP gateway and a mailbox run on loopback')

  const client = new SFNClient(cloud.services.stepFunctions.clientConfig)
  try {
    const stage = createStage(cloud, client, screen, calls)
    const summary = [
      ['what', 'recipients', 'seconds', 'status'],
      await importAll(stage),
      await sendFew(stage),
      await refuseBroken(stage),
      await surviveRestart(stage),
    ]
    screen.title('Summary')
    screen.table(summary)
    screen.line()
    screen.line(
      'the statuses are those of the design: 送信予約済 is scheduled, 送信済 sent, 取込失敗 import failed',
    )
    screen.line("the design's own estimate for the import is 24 to 33 seconds")
  } finally {
    client.destroy()
  }
}

function start(onCall: (call: FunctionCall) => void) {
  return startApp(app, { environment: { POWERTOOLS_LOG_LEVEL: 'CRITICAL' }, onCall })
}

type Cloud = Awaited<ReturnType<typeof start>>

interface Stage {
  readonly cloud: Cloud
  readonly screen: Screen
  /** The calls of functions that have been answered. */
  readonly calls: readonly FunctionCall[]
  readonly api: ReturnType<typeof createCampaignApi>
  /** Follows the newest import to its end. */
  watchImport(onProgress?: (done: number) => void): Promise<WatchedExecution>
}

function createStage(cloud: Cloud, client: SFNClient, screen: Screen, calls: readonly FunctionCall[]): Stage {
  const { gateway } = cloud
  assert.ok(gateway)
  return {
    cloud,
    screen,
    calls,
    api: createCampaignApi(gateway.endpoint, gateway.issueToken({ sub: 'staff' })),
    async watchImport(onProgress = () => {}) {
      const stateMachineArn = cloud.stateMachineArn('import')
      const { executions = [] } = await client.send(new ListExecutionsCommand({ stateMachineArn }))
      const display = createProgressDisplay(screen.write, screen.terminal)
      return watchExecution(client, String(executions[0]?.executionArn), {
        onProgress(states) {
          display.show(states)
          onProgress(states.find(state => state.items)?.items?.done ?? 0)
        },
      })
    },
  }
}

async function importAll({ api, screen, watchImport }: Stage): Promise<string[]> {
  screen.title(`   ${recipients.toLocaleString('en')} recipients from a CSV`)
  const { s3_key } = await api.upload(recipientsCsv(recipients))
  const started = performance.now()
  const campaign = await api.register({ s3_key, scheduled_at: nextWeek() })
  const { status } = await watchImport()
  const seconds = (performance.now() - started) / 1000
  assert.equal(status, 'SUCCEEDED')
  const view = await api.show(campaign)
  assert.deepEqual([view.status, view.total_count], ['送信予約済', recipients])
  screen.line(
    `${Math.round(recipients / seconds).toLocaleString('en')} rows a second, from the uploaded object to committed rows`,
  )
  return ['import', String(view.total_count), seconds.toFixed(1), view.status]
}

async function sendFew({ api, cloud, screen, watchImport }: Stage): Promise<string[]> {
  screen.title('   A small campaign, sent a few seconds later')
  const { s3_key } = await api.upload(recipientsCsv(5))
  const started = performance.now()
  const campaign = await api.register({ s3_key, scheduled_at: new Date(Date.now() + 3_000).toISOString() })
  await watchImport()
  let view = await api.show(campaign)
  for (let polls = 0; view.status !== '送信済' && polls < 300; polls += 1) {
    await wait(100)
    view = await api.show(campaign)
  }
  assert.equal(view.status, '送信済')
  assert.equal(new Set(cloud.services.mailbox.messages.flatMap(({ to }) => to)).size, 5)
  assert.equal(cloud.services.mailbox.messages.length, 5)
  for (const { to, subject } of cloud.services.mailbox.messages) screen.line(`✉ ${to.join()}  ${subject}`)
  return ['send', '5', ((performance.now() - started) / 1000).toFixed(1), view.status]
}

async function refuseBroken({ api, screen, watchImport }: Stage): Promise<string[]> {
  screen.title('   A CSV with a quote too few')
  const { s3_key } = await api.upload(brokenCsv(10_000, 7_321))
  const started = performance.now()
  const campaign = await api.register({ s3_key, scheduled_at: nextWeek() })
  const { status } = await watchImport()
  assert.equal(status, 'FAILED')
  const view = await api.show(campaign)
  assert.equal(view.status, '取込失敗')
  screen.line(`${view.failure_reason?.error}: ${view.failure_reason?.message}`)
  return ['broken CSV', '0', ((performance.now() - started) / 1000).toFixed(1), view.status]
}

async function surviveRestart({ api, cloud, screen, calls, watchImport }: Stage): Promise<string[]> {
  screen.title('   The database restarts in the middle')
  const { s3_key } = await api.upload(recipientsCsv(recipients))
  const started = performance.now()
  const campaign = await api.register({ s3_key, scheduled_at: nextWeek() })
  let restart: Promise<Outage> | undefined
  const { status } = await watchImport(done => {
    if (done >= 3) restart ??= restartDatabase(cloud)
  })
  const outage = await restart
  assert.ok(outage, 'the import was done before the database could restart')
  assert.equal(status, 'SUCCEEDED')
  const view = await api.show(campaign)
  assert.deepEqual([view.status, view.total_count], ['送信予約済', recipients])
  for (const said of describeRetries(calls, outage)) screen.line(said)
  screen.line('every connection was lost; nothing is missing, nothing is there twice')
  return ['restart', String(view.total_count), ((performance.now() - started) / 1000).toFixed(1), view.status]
}

/** When the database was away. */
interface Outage {
  readonly startMs: number
  readonly endMs: number
}

async function restartDatabase({ services }: Cloud): Promise<Outage> {
  const startMs = Date.now()
  await services.postgres.restart()
  return { startMs, endMs: Date.now() }
}

/** What had to wait for the database, in its function or in the state machine. */
function describeRetries(calls: readonly FunctionCall[], { startMs, endMs }: Outage): readonly string[] {
  const waited = calls.filter(call => call.startMs < endMs && call.endMs > endMs && !call.error)
  const failed = calls.filter(call => call.endMs > startMs && call.error)
  const maxWaitMs = Math.max(0, ...waited.map(call => call.endMs - call.startMs))
  return [
    `it was away for ${seconds(endMs - startMs)}; ${waited.length} chunks were tried again until it was back, the longest for ${seconds(maxWaitMs)}`,
    ...failed.map(({ state, error }) => `${state?.stateName} failed with ${error?.name}, and was retried`),
  ]
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
