import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { chaosRounds } from '@stepwright/bench/chaos'
import { accessibilityProblems, openBrowser, type TestBrowser, whyNoBrowser } from '@stepwright/browser'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postCampaign, recipients } from './ask-app.ts'
import { dropObject, importApp, openExecution, openPage, startWithConsole, statusOf } from './open-console.ts'

const timeout = 300_000
const isSkipped = whyNoBrowser() !== undefined || chaosRounds(0) === 0
let browser: TestBrowser

describe.skipIf(isSkipped)('the console of', { timeout }, () => {
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
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Stop it' }).click()
    await stopped
    running.intercept('ImportChunk')
    await page.getByRole('button', { name: 'Redrive' }).click()
    await statusOf(page, 'succeeded').waitFor()
    await page.getByText('Redriven').waitFor()
  })

  it('campaign-import redrives an import that failed with the database, when that is back', async () => {
    await using world = await startWithConsole(await importApp('campaign-import'))
    const { running, console } = world
    await using page = await openPage({ browser, console })
    running.intercept('ImportChunk', async call => {
      await running.services.postgres.kill()
      return call()
    })
    const failed = running.ended('import')
    await postCampaign(running, recipients(10))
    const { name } = await failed
    running.intercept('ImportChunk')
    await openExecution(page, console.endpoint, name)
    await page.getByRole('alert').getByText('DatabaseConnectionError').first().waitFor()
    await page.getByRole('button', { name: /^ImportChunk, .*failed, retried 2 times/ }).click()
    await page.getByRole('tab', { name: 'Why' }).click()
    await page.getByText(/DatabaseConnectionError was retried after .*: retry 2 of 2\./).waitFor()
    await running.services.postgres.restart()
    await page.getByRole('button', { name: 'Redrive' }).click()
    await statusOf(page, 'succeeded').waitFor()
    await page.getByText('Redriven').waitFor()
  })

  it('data-transform takes a day that is complete, and shows its Parquet', async () => {
    await using world = await startWithConsole(await importApp('data-transform'))
    const { running, console } = world
    await using page = await openPage({ browser, console })
    const folder = 'shop/orders/ingestion_date=2025-09-07/'
    const content = 'order_id,price,status\n1,2.5,NEW\n2,3.5,PAID\n'
    await dropObject(page, world, { bucket: 'raw', key: `${folder}a.csv`, content })
    const ended = running.ended('transform')
    await dropObject(page, world, { bucket: 'raw', key: `${folder}_SUCCESS`, content: 'complete' })
    await openExecution(page, console.endpoint, (await ended).name)
    await statusOf(page, 'succeeded').waitFor()
    await page.goto(`${console.endpoint}/#/objects?bucket=${running.names.buckets['curated']}`)
    await page.getByRole('button', { name: /\.parquet/ }).click()
    const preview = page.getByRole('region', { name: /\.parquet$/ })
    await preview.getByRole('columnheader', { name: 'order_id' }).waitFor()
    await preview.getByRole('cell', { name: 'PAID' }).waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
  })

  it('all apps has nothing on any page that axe finds serious, light or dark', async () => {
    const script = join(import.meta.dirname, '../scripts/take-pictures.ts')
    await promisify(execFile)(process.execPath, [script])
  })
})
