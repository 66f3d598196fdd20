import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { figure } from '@stepwright/bench'
import { openBrowser } from '@stepwright/browser'
import { openPage, type Page, startWithConsole, statusOf } from '../test/open-console.ts'
import { createSmallApp } from '../test/small-app.ts'

const items = 100_000
const executions = 5000
const atOnce = 50

using small = createSmallApp()
const one = { StartAt: 'One', States: { One: { Type: 'Pass', End: true } } }
const bucket = 'small-files'
small.write('spread', {
  StartAt: 'Each',
  States: {
    Each: {
      Type: 'Map',
      ItemReader: {
        Resource: 'arn:aws:states:::s3:getObject',
        ReaderConfig: { InputType: 'JSON' },
        Parameters: { Bucket: bucket, Key: 'items.json' },
      },
      ItemProcessor: { ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' }, ...one },
      ResultWriter: {
        Resource: 'arn:aws:states:::s3:putObject',
        Parameters: { Bucket: bucket, Prefix: 'out' },
      },
      End: true,
    },
  },
})
await using world = await startWithConsole(small.app, { enforcePolicies: false })
const { running, console: server } = world
const { endpoint, region, credentials } = running.services.s3
const s3 = new S3Client({ endpoint, region, credentials })
const rows = JSON.stringify(Array.from({ length: items }, (_, index) => ({ index })))
await s3.send(new PutObjectCommand({ Bucket: running.names.buckets['files'], Key: 'items.json', Body: rows }))
s3.destroy()
await using browser = await openBrowser()
await using page = await openPage({ browser, console: server })
await page.getByRole('heading', { level: 1 }).waitFor()

/** How long something takes, and the longest time that the page did not answer meanwhile. */
async function watch(act: (page: Page) => Promise<unknown>): Promise<{ tookMs: number; frozenMs: number }> {
  await page.evaluate(
    'globalThis.frozen = [0]; globalThis.watcher = new PerformanceObserver(list => frozen.push(...list.getEntries().map(entry => entry.duration))); watcher.observe({ type: "longtask" })',
  )
  const started = performance.now()
  await act(page)
  const tookMs = performance.now() - started
  return { tookMs, frozenMs: Number(await page.evaluate('watcher.disconnect(), Math.max(...frozen)')) }
}

const arn = await running.start('spread', {})
const running100000 = await watch(async () => {
  await page.goto(`${server.endpoint}/#/execution?arn=${arn}`)
  await statusOf(page, 'succeeded').waitFor({ timeout: 300_000 })
  await page.getByText('100,000 succeeded').waitFor()
})
figure('console.map_100000_frozen_ms', running100000.frozenMs, { atMost: 100 })
const children = page.getByRole('region', { name: 'Children' }).getByRole('link')
const opened = await watch(async () => {
  await page.getByRole('button', { name: 'children' }).click()
  await children.first().waitFor()
})
figure('console.map_100000_children_ms', opened.tookMs, { atMost: 1000 })

for (let start = 0; start < executions; start += atOnce) {
  const started = Array.from({ length: atOnce }, (_, index) =>
    running.start('plain', { row: start + index }, `run-${start + index}`),
  )
  await Promise.all(started)
}
await page.goto(`${server.endpoint}/#/queues`)
await page.getByRole('heading', { name: 'Queues' }).waitFor()
const listed = await watch(async () => {
  await page.goto(`${server.endpoint}/#/executions`)
  await page.getByText('5,001').waitFor()
})
figure('console.list_5000_executions_ms', listed.tookMs, { atMost: 500 })
const found = await watch(async () => {
  await page.goto(`${server.endpoint}/#/find?text=${encodeURIComponent('"row":4321')}`)
  await page.getByText('5,001 of 5,001 executions searched').waitFor()
  await page.getByRole('link', { name: 'run-4321' }).first().waitFor()
})
figure('console.find_in_5000_executions_ms', found.tookMs, { atMost: 2000 })
figure('console.lists_frozen_ms', Math.max(opened.frozenMs, listed.frozenMs, found.frozenMs), { atMost: 100 })
