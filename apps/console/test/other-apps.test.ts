import { ReceiveMessageCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { accessibilityProblems, openBrowser, type TestBrowser, whyNoBrowser } from '@stepwright/browser'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askApp, postCampaign, postGeneration, recipients } from './ask-app.ts'
import { importApp, openExecution, openPage, startWithConsole, statusOf } from './open-console.ts'
import { createSmallApp, definitions } from './small-app.ts'

const timeout = 120_000
let browser: TestBrowser

describe.skipIf(whyNoBrowser() !== undefined)('the console of', { timeout }, () => {
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser?.close())

  it('campaign-import names error, row and column of an import that failed, and redrives one that was stopped', async () => {
    await using world = await startWithConsole(await importApp('campaign-import'))
    const { running, console } = world
    await using page = await openPage({ browser, console })
    const refused = running.ended('import')
    await postCampaign(running, `${recipients(40)}only@example.jp\n`)
    await openExecution(page, console.endpoint, (await refused).name)
    await statusOf(page, 'failed').waitFor()
    await page.getByRole('button', { name: 'Began in ImportChunk: CSVValidationError' }).click()
    const panel = page.getByRole('complementary', { name: 'State ImportChunk' })
    await panel.getByText('CSVValidationError', { exact: true }).first().waitFor()
    expect(await panel.textContent()).toMatch(/COLUMN_COUNT.*"rowNumber": 41,.*"column": "name"/s)
    expect(await accessibilityProblems(page)).toEqual([])

    running.intercept('ImportChunk', async () => {
      throw Object.assign(new Error('connection refused'), { name: 'DatabaseConnectionError' })
    })
    const stopped = running.ended('import')
    const id = await postCampaign(running, recipients(10))
    await openExecution(page, console.endpoint, `import-${id}`)
    await page.getByRole('button', { name: /^ImportChunk, .*running/ }).click()
    await page.getByRole('tab', { name: 'Why' }).click()
    await page.getByText(/DatabaseConnectionError was retried after .*: retry 1 of 2\./).waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    await stopped
    running.intercept('ImportChunk')
    await page.getByRole('button', { name: 'Redrive' }).click()
    await statusOf(page, 'succeeded').waitFor()
    await page.getByText('Redriven').waitFor()
  })

  it('async-generation shows jobs with their progress, also cancelled ones, and outlasts the database', async () => {
    const script = { latencies: [{ text: 'slow', ms: 600_000 }] }
    await using world = await startWithConsole(await importApp('async-generation'), {
      environment: { LOCAL_SCRIPT: JSON.stringify(script), PARALLEL_CALLS: '1' },
    })
    const { running, console } = world
    const done = await postGeneration(running, 'quick')
    const slow = await postGeneration(running, 'slow')
    await using page = await openPage({ browser, console }, '#/jobs')
    const job = (id: string, status: string) =>
      page.getByRole('button', { name: new RegExp(`^${id}.*${status}`) })
    await job(done, 'completed').waitFor()
    await page
      .getByRole('progressbar', { name: `Progress of ${done}` })
      .and(page.locator('[aria-valuenow="100"]'))
      .waitFor()
    await job(slow, 'processing').waitFor()
    await askApp(running, 'POST', `/api/ai/async/cancel/${slow}`)
    await job(slow, 'cancelled').click()
    await page
      .getByRole('complementary', { name: `Job ${slow}` })
      .getByText('"CANCELLED"')
      .waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    await running.services.postgres.kill()
    await page.getByRole('alert').waitFor()
    await running.services.postgres.restart()
    await page.getByRole('alert').waitFor({ state: 'detached' })
    await job(done, 'completed').waitFor()
  })

  it('an app shows its queues, and what nobody could handle', async () => {
    using small = createSmallApp()
    await using world = await startWithConsole(small.app)
    const { console, running } = world
    const client = new SQSClient(running.services.sqs.clientConfig)
    const QueueUrl = running.services.sqs.queueUrl('small-letters')
    for (const MessageBody of ['a', 'b', 'c'])
      await client.send(new SendMessageCommand({ QueueUrl, MessageBody }))
    // Received once and not deleted: the second time it is a dead letter.
    await client.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 1, VisibilityTimeout: 0 }))
    await client.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 1 }))
    client.destroy()
    await using page = await openPage({ browser, console }, '#/queues')
    const row = (name: string) => page.getByRole('row', { name })
    await row('small-letters 1 1 0 small-letters-dead').waitFor()
    await row('small-letters-dead 1 0 0').waitFor()
    expect(await accessibilityProblems(page)).toEqual([])

    await page.goto(`${console.endpoint}/#/workflow?workflow=plain`)
    await page.getByRole('button', { name: 'Second, Pass' }).waitFor()
    const { First } = definitions.plain.States
    small.write('plain', {
      StartAt: 'First',
      States: { First: { ...First, Next: 'Third' }, Third: { Type: 'Succeed' } },
    })
    await running.reload()
    console.reloaded()
    await page.getByRole('button', { name: 'Third, Succeed' }).waitFor()
    expect(await page.getByRole('button', { name: 'Second, Pass' }).count()).toBe(0)
  })

  it('runs without a complaint of the browser', () => {
    // The database was away.
    expect(browser.problems.filter(problem => !/500/.test(problem))).toEqual([])
  })
})
