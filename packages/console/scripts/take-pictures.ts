import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { accessibilityProblems, openBrowser, screenshot, screenshotLooks } from '@stepwright/browser'
import { postGeneration } from '../test/ask-app.ts'
import {
  dropObject,
  importApp,
  openExecution,
  openPage,
  type Page,
  type RunningConsole,
  startWithConsole,
} from '../test/open-console.ts'
import { createSmallApp } from '../test/small-app.ts'

// Pictures to look at after a change, in .cache/screenshots/console, and with --docs the one in docs. Fails with what axe
// finds in one of them, light or dark.

await using browser = await openBrowser()

/** Four looks of the page, when it is at rest. */
async function look(page: Page, name: string): Promise<void> {
  await page.waitForTimeout(400)
  await screenshotLooks(page, `console/${name}`)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const problems = await accessibilityProblems(page)
    if (problems.length > 0) throw new Error([name, colorScheme, ...problems].join('\n'))
  }
  await page.emulateMedia({ colorScheme: null })
}

async function goTo(page: Page, { console: { endpoint } }: RunningConsole, place: string): Promise<void> {
  await page.goto(`${endpoint}/#/${place}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
}

async function csvProcessor(): Promise<void> {
  await using world = await startWithConsole(await importApp('csv-processor'))
  const { running, console } = world
  await using page = await openPage({ browser, console })
  let calls = 0
  running.intercept('CsvProcessor', async call => {
    calls += 1
    if (calls > 1) return call()
    throw Object.assign(new Error('connection refused'), { name: 'DatabaseConnectionError' })
  })
  const rows = Array.from({ length: 1000 }, (_, row) => `U${row},${row % 7},${row % 3}`)
  const log = `user_id,login_count,post_count\n${rows.join('\n')}\n`
  for (const [key, content] of [
    ['data/user-log-march.csv', log],
    ['data/user-log-april.csv', `${log}U1000,1,1\n`],
    ['data/refused.csv', 'id,logins\nU1,3\n'],
  ] as const) {
    const ended = running.ended('process')
    await dropObject(page, world, { key, content })
    await ended
  }
  await page.getByRole('button', { name: /^data\/user-log-april/ }).click()
  await page.getByRole('cell').first().waitFor()
  await look(page, 'objects')

  await openExecution(page, console.endpoint, 'user-log-march')
  await page.getByRole('button', { name: /^ValidateCSVFile/ }).click()
  await page.getByRole('tab', { name: 'Why' }).click()
  await page.locator('aside summary').first().click()
  await page.setViewportSize({ width: 1280, height: 780 })
  await page.getByRole('button', { name: 'Fit into the window' }).click()
  const picture = await screenshot(page, 'console/why')
  if (process.argv.includes('--docs'))
    await copyFile(picture, join(import.meta.dirname, '../../../docs/console.png'))
  await look(page, 'why')

  await goTo(page, world, 'workflows')
  await look(page, 'workflows')
  await goTo(page, world, 'executions')
  await look(page, 'executions')
  await page.getByRole('button', { name: 'Start execution' }).click()
  await look(page, 'start')
  await page.keyboard.press('Escape')
  await openExecution(page, console.endpoint, 'user-log-april')
  for (const tab of ['Graph', 'States', 'Waterfall', 'Events', 'Input and output', 'Audit trail']) {
    await page.getByRole('tab', { name: tab }).click()
    await look(page, tab.toLowerCase().replaceAll(' ', '-'))
  }
  await page.getByRole('button', { name: 'children' }).click()
  await page.getByRole('tab', { name: 'Graph' }).click()
  await look(page, 'children')
  await page.getByRole('button', { name: 'Fork' }).click()
  await look(page, 'fork')
  await page.keyboard.press('Escape')
  await openExecution(page, console.endpoint, 'refused')
  await look(page, 'failed')
  const failed = new URLSearchParams(page.url().split('?')[1]).get('arn') ?? ''
  await openExecution(page, console.endpoint, 'user-log-march')
  const good = new URLSearchParams(page.url().split('?')[1]).get('arn') ?? ''
  await goTo(page, world, `compare?${new URLSearchParams({ a: good, b: failed })}`)
  await page.getByText('They differ at').waitFor()
  await look(page, 'compare')
  await goTo(page, world, 'find?text=april')
  await page
    .getByRole('link', { name: /^user-log-april/ })
    .first()
    .waitFor()
  await look(page, 'find')
  await goTo(page, world, 'logs')
  await page
    .getByRole('button', { name: /CsvProcessor/ })
    .first()
    .click()
  await look(page, 'logs')
  await goTo(page, world, 'tables')
  await page.getByRole('cell').first().waitFor()
  await look(page, 'tables')
  await fetch(`${running.services.mailbox.endpoint}/v2/email/outbound-emails`, {
    method: 'POST',
    body: JSON.stringify({
      FromEmailAddress: 'news@example.com',
      Destination: { ToAddresses: ['bob@example.com'] },
      Content: {
        Simple: {
          Subject: { Data: 'What is new in November' },
          Body: {
            Html: { Data: '<h1>Hello</h1><p>How are you?</p>' },
            Text: { Data: 'Hello. How are you?' },
          },
        },
      },
    }),
  })
  await goTo(page, world, 'mail')
  await page.getByRole('button', { name: /bob@example\.com/ }).click()
  await page.frameLocator('iframe').getByText('Hello').waitFor()
  await look(page, 'mail')
}

async function asyncGeneration(): Promise<void> {
  const script = {
    latencies: [{ text: 'slow', ms: 600_000 }],
    failing: [{ text: 'bad', error: 'GenerationRefusedError', times: 9 }],
  }
  await using world = await startWithConsole(await importApp('async-generation'), {
    environment: { LOCAL_SCRIPT: JSON.stringify(script) },
  })
  for (const goal of ['quick', 'bad', 'slow']) await postGeneration(world.running, goal)
  await using page = await openPage({ browser, console: world.console }, '#/jobs')
  await page.getByText('failed').first().waitFor()
  await page.getByText('completed').first().waitFor()
  await look(page, 'jobs')
  await page.getByRole('button', { name: /failed/ }).click()
  await look(page, 'job')
}

async function dataTransform(): Promise<void> {
  await using world = await startWithConsole(await importApp('data-transform'))
  await using page = await openPage({ browser, console: world.console })
  const folder = 'shop/orders/ingestion_date=2025-09-07/'
  const content = 'order_id,price,status\n1,2.5,NEW\n2,3.5,PAID\n'
  await dropObject(page, world, { bucket: 'raw', key: `${folder}a.csv`, content })
  const ended = world.running.ended('transform')
  await dropObject(page, world, { bucket: 'raw', key: `${folder}_SUCCESS`, content: 'complete' })
  await openExecution(page, world.console.endpoint, (await ended).name)
  await look(page, 'transform')
  await goTo(page, world, `objects?bucket=${world.running.names.buckets['curated']}`)
  await page.getByRole('button', { name: /\.parquet/ }).click()
  await page.getByRole('cell').first().waitFor()
  await look(page, 'parquet')
}

async function queuesAndDefinition(): Promise<void> {
  using small = createSmallApp()
  await using world = await startWithConsole(small.app)
  const client = new SQSClient(world.running.services.sqs.clientConfig)
  for (const queue of ['small-letters', 'small-letters-dead']) {
    const QueueUrl = world.running.services.sqs.queueUrl(queue)
    await client.send(new SendMessageCommand({ QueueUrl, MessageBody: 'a' }))
  }
  client.destroy()
  await using page = await openPage({ browser, console: world.console }, '#/queues')
  await page.getByRole('cell').first().waitFor()
  await look(page, 'queues')
  await goTo(page, world, 'workflow?workflow=spread')
  await look(page, 'workflow')
}

for (const takeSome of [csvProcessor, asyncGeneration, dataTransform, queuesAndDefinition]) await takeSome()
