import { ReceiveMessageCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { accessibilityProblems, openBrowser, type TestBrowser, whyNoBrowser } from '@stepwright/browser'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askApp, postGeneration } from './ask-app.ts'
import { importApp, openPage, startWithConsole } from './open-console.ts'
import { createSmallApp, definitions } from './small-app.ts'

const timeout = 120_000
let browser: TestBrowser

describe.skipIf(whyNoBrowser() !== undefined)('the console of', { timeout }, () => {
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser?.close())

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
    await page.goto(`${console.endpoint}/#/logs`)
    await page
      .getByRole('button', { name: /^AIGenerationWorker/ })
      .first()
      .waitFor()
    await askApp(running, 'POST', `/api/ai/async/cancel/${slow}`)
    await page.getByRole('button', { name: /^CancelHandler/ }).waitFor()
    await page.goto(`${console.endpoint}/#/jobs`)
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

    await page.goto(`${console.endpoint}/#/executions`)
    await page.getByText('No executions.').waitFor()
    const show = (isHidden: boolean) =>
      page.evaluate(
        `Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true }), void document.dispatchEvent(new Event('visibilitychange'))`,
      )
    await show(true) // a tab that nobody sees does not listen, and asks for what it missed
    await running.start('plain', {}, 'unseen')
    await running.ended('plain', 'unseen')
    await show(false)
    await page.getByRole('link', { name: /^unseen/ }).waitFor()
    await console.stop()
    await page.getByText('Not connected: the app has ended').waitFor()
  })

  it('runs without a complaint of the browser', () => {
    // The database was away, and the console ended.
    expect(browser.problems.filter(problem => !/500|net::ERR/.test(problem))).toEqual([])
  })
})
