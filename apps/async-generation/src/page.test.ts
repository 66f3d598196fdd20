import { gzipSync } from 'node:zlib'
import {
  accessibilityProblems,
  openBrowser,
  screenshotLooks,
  type TestBrowser,
  whyNoBrowser,
} from '@stepwright/browser'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningGenerations, startGenerations } from './test/running-app.ts'

let running: RunningGenerations
let browser: TestBrowser
const withoutBrowser = whyNoBrowser()

beforeAll(async () => {
  running = await startGenerations(
    {
      latencyMs: 100,
      latencies: [{ text: 'in the middle', ms: 400 }],
      failing: [{ text: 'doomed', error: 'GenerationRefusedError', times: 1 }],
    },
    { environment: { PARALLEL_CALLS: '1' } },
  )
  if (withoutBrowser === undefined) browser = await openBrowser()
}, 60_000)
afterAll(async () => {
  await browser?.close()
  await running?.stop()
}, 60_000)

/** A browser beside all other tests takes its time. */
function eventually(read: () => Promise<number>) {
  return expect.poll(read, { timeout: 20_000 })
}

async function open(user: string, language = 'ja') {
  const page = await browser.newPage()
  await page.addInitScript(`localStorage.setItem('language', ${JSON.stringify(language)})`)
  await page.goto(`${running.gateway?.endpoint}/#token=${running.gateway?.issueToken({ sub: user })}`)
  return page
}

it('is less than 60 kB of JavaScript', async () => {
  const script = await (await fetch(`${running.gateway?.endpoint}/main.js`)).arrayBuffer()
  expect(gzipSync(Buffer.from(script)).length).toBeLessThan(60_000)
})

describe.skipIf(withoutBrowser !== undefined)('the page', { timeout: 60_000 }, () => {
  it('fills the chart live from a goal, and makes tasks', async () => {
    const page = await open('ann')
    expect(new URL(page.url()).hash).toBe('')
    await page.getByLabel('達成したい目標').fill('英語で会議ができるようになる')
    await page.evaluate(`seen = new Set()
      new MutationObserver(() => seen.add(document.querySelectorAll('.cell.action').length))
        .observe(document.body, { subtree: true, childList: true })`)
    await page.keyboard.press('Enter')
    const actions = page.locator('.cell.action')
    await eventually(() => actions.count()).toBe(64)
    const seen = (await page.evaluate('[...seen]')) as number[]
    // Some actions were there while others were not yet.
    expect(seen.some(count => count > 0 && count < 64)).toBe(true)
    await page.getByRole('button', { name: 'タスクを生成' }).click()
    await actions.locator('button').first().click()
    await eventually(() => page.locator('.tasks li').count()).toBeGreaterThanOrEqual(3)
    await eventually(() => page.locator('.with-tasks').count()).toBeGreaterThan(4)
    await eventually(() => page.locator('.history li').count()).toBe(3)
    expect(await accessibilityProblems(page)).toEqual([])
    await page.getByRole('button', { name: 'キャンセル' }).click()
    expect(browser.problems).toEqual([])
  })

  it('is used with the keyboard alone', async () => {
    const page = await open('ann', 'en')
    await page.getByRole('button', { name: /^Show/ }).first().press('Enter')
    const first = page.locator('.cell.action button').first()
    await first.focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Space')
    const pressed = page.locator('button[aria-pressed="true"]')
    expect([await pressed.count(), await pressed.getAttribute('data-place')]).toEqual([1, '0.7'])
    expect(await page.locator('.tasks h2').textContent()).toContain('Tasks for')
  })

  it('cancels, says so, and tries again', async () => {
    const page = await open('bob', 'en')
    await page.getByLabel('Your goal').fill('Stop in the middle')
    await page.getByRole('button', { name: 'Start' }).click()
    await eventually(() => page.locator('.cell.action').count()).toBeGreaterThan(0)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('alert').waitFor()
    expect(await page.locator('.progress label').textContent()).toBe('Actions: cancelled')
    const before = await page.locator('.cell.action').count()
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click()
    await eventually(() => page.locator('.cell.action').count()).toBe(64)
    expect(before).toBeLessThan(64)
    await page.locator('.cell.action button').nth(20).click()
    await screenshotLooks(page, 'async-generation/filled')
  })

  it('goes on after a stream that ended with a problem', async () => {
    const page = await open('carol', 'en')
    const body = 'event: error\ndata: {"status":503}\n\n'
    await page.route('**/events', route => route.fulfill({ contentType: 'text/event-stream', body }), {
      times: 1,
    })
    await page.getByLabel('Your goal').fill('Hear of a problem')
    await page.keyboard.press('Enter')
    await eventually(() => page.locator('.cell.action').count()).toBe(64)
    expect(browser.problems).toEqual([])
  })

  it('says why a generation failed, and is not signed in without a token', async () => {
    const page = await open('bob', 'en')
    await page.getByLabel('Your goal').fill('doomed')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    expect(await page.getByRole('alert').textContent()).toContain('scripted GenerationRefusedError')
    await screenshotLooks(page, 'async-generation/failed')
    expect(await accessibilityProblems(page)).toEqual([])

    const stranger = await browser.newPage()
    await stranger.goto(`${running.gateway?.endpoint}/`)
    expect(await stranger.getByRole('textbox').getAttribute('id')).toBe('token')
    await screenshotLooks(stranger, 'async-generation/sign-in')
  })
})
