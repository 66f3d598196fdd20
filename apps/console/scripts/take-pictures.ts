import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { screenshot, screenshotLooks } from '@stepwright/browser'
import { dropFile, openConsole } from '../test/open-console.ts'

// Pictures to look at after a change, in .cache/screenshots/console, and the one in docs.

await using world = await openConsole('csv-processor')
const page = await world.browser.newPage({ width: 1280, height: 780 })
await page.goto(world.console.url)

async function goTo(place: string): Promise<void> {
  await page.goto(`${world.console.endpoint}/#/${place}`)
}

let calls = 0
world.running.intercept('CsvProcessor', async call => {
  calls += 1
  if (calls > 1) return call()
  throw Object.assign(new Error('connection refused'), { name: 'DatabaseConnectionError' })
})
const rows = Array.from({ length: 1000 }, (_, row) => `U${row},${row % 7},${row % 3}`)
const log = `user_id,login_count,post_count\n${rows.join('\n')}\n`
await goTo('objects?prefix=data/')
await page.getByRole('heading', { name: 'Objects' }).waitFor()
for (const name of ['user-log-march.csv', 'user-log-april.csv']) {
  const ended = world.running.ended('process')
  await dropFile(page, name, name.includes('april') ? log : `${log}U1000,1,1\n`)
  await ended
}
await page.getByRole('button', { name: /^data\/user-log-april/ }).click()
await page.getByRole('cell').first().waitFor()
await screenshotLooks(page, 'console/objects')

await goTo('executions')
await page.getByRole('link', { name: /^user-log-march/ }).click()
await page.getByRole('button', { name: /^ValidateCSVFile/ }).click()
await page.getByRole('tab', { name: 'Why' }).click()
await page.locator('aside summary').first().click()
await page.getByRole('button', { name: 'Fit into the window' }).click()
await copyFile(await screenshot(page, 'console/why'), join(import.meta.dirname, '../../../docs/console.png'))
await screenshotLooks(page, 'console/why')

await goTo('executions')
await screenshotLooks(page, 'console/executions')
await page.getByRole('link', { name: /^user-log-april/ }).click()
for (const tab of ['Graph', 'States', 'Waterfall', 'Events', 'Input and output', 'Audit trail']) {
  await page.getByRole('tab', { name: tab }).click()
  await screenshotLooks(page, `console/${tab.toLowerCase().replaceAll(' ', '-')}`)
}
for (const place of ['logs', 'tables', 'find?text=april', 'mail']) {
  await goTo(place)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await screenshotLooks(page, `console/${place.replace(/\?.*/, '')}`)
}
