import { gzipSync } from 'node:zlib'
import {
  accessibilityProblems,
  openBrowser,
  screenshotLooks,
  type TestBrowser,
  whyNoBrowser,
} from '@stepwright/browser'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningGenerations, startGenerations, userOf } from './test/running-app.ts'

let running: RunningGenerations
let browser: TestBrowser
const withoutBrowser = whyNoBrowser()

beforeAll(async () => {
  running = await startGenerations(
    {
      latencyMs: 100,
      latencies: [
        { text: 'in the middle', ms: 400 },
        { text: 'endless', ms: 600_000 },
      ],
      failing: [
        { text: 'doomed twice', error: 'GenerationRefusedError', times: 9 },
        { text: 'doomed', error: 'GenerationRefusedError', times: 1 },
      ],
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

it('is less than 30 kB of JavaScript', async () => {
  const script = await (await fetch(`${running.gateway?.endpoint}/main.js`)).arrayBuffer()
  expect(gzipSync(Buffer.from(script)).length).toBeLessThan(30_000)
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
    await page.getByRole('button', { name: 'キャンセル', exact: true }).click()
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
    await page.getByRole('button', { name: 'Cancel', exact: true }).click()
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

  it('goes on with what runs after a reload and in another tab, where it can be cancelled', async () => {
    const page = await open('dave', 'en')
    await page.getByLabel('Your goal').fill('endless work')
    await page.keyboard.press('Enter')
    await page.getByText('Sub-goals: in progress').first().waitFor()
    await page.reload()
    await page.getByText('Sub-goals: in progress').first().waitFor()
    const other = await page.context().newPage()
    await other.goto(`${running.gateway?.endpoint}/`)
    await other.getByText('Sub-goals: in progress').first().waitFor()
    expect(await accessibilityProblems(other)).toEqual([])
    await other.getByRole('button', { name: 'Cancel endless work' }).click()
    await page.getByText('Sub-goals: cancelled').first().waitFor()
    await other.close()
  })

  it('offers to continue what a closed tab has left, in its own chart', async () => {
    const user = userOf(running, 'erin')
    const { data } = await user.generate('SUBGOAL_GENERATION', { goal: 'left behind', language: 'en' })
    await user.ended(data.processId)
    const page = await open('erin', 'en')
    await page.getByRole('button', { name: 'Continue left behind' }).click()
    await eventually(() => page.locator('.cell.action').count()).toBe(64)
    expect(await page.locator('.cell.goal').first().textContent()).toContain('left behind')
  })

  it('pays once for a double click, and retries into the chart of its own goal', async () => {
    const page = await open('frank', 'en')
    await page.getByLabel('Your goal').fill('doomed twice')
    await page.evaluate(
      `document.querySelector('form').requestSubmit(), document.querySelector('form').requestSubmit()`,
    )
    await page.getByRole('alert').waitFor()
    await eventually(() => page.locator('.history li').count()).toBe(1)
    await page.getByLabel('Your goal').fill('another goal')
    await page.keyboard.press('Enter')
    await eventually(() => page.locator('.cell.action').count()).toBe(64)
    await page.locator('.history').getByRole('button', { name: 'Try again' }).click()
    await eventually(async () =>
      (await page.locator('.cell.goal').first().textContent())?.includes('doomed twice') ? 1 : 0,
    ).toBe(1)
  })

  it('asks for another token when one has expired, in Japanese', async () => {
    const page = await open('grace')
    await page.getByText('まだ処理はありません。').waitFor()
    await page.route('**/generate', route =>
      route.fulfill({ status: 401, contentType: 'application/json', body: '{"message":"Unauthorized"}' }),
    )
    await page.getByLabel('達成したい目標').fill('目標')
    await page.keyboard.press('Enter')
    await page.getByText('有効期限が切れました').waitFor()
    await page.reload()
    expect(await page.getByRole('textbox').getAttribute('id')).toBe('token')
    expect(await accessibilityProblems(page)).toEqual([])
  })

  it('says in the language of the page what is wrong, and that it is offline as long as it is', async () => {
    const page = await open('heidi')
    await page.getByText('まだ処理はありません。').waitFor()
    await page.route('**/generate', route =>
      route.fulfill({
        status: 429,
        contentType: 'application/problem+json',
        body: '{"title":"TooManyJobsError","detail":"there are 20 jobs"}',
      }),
    )
    await page.getByLabel('達成したい目標').fill('目標')
    await page.keyboard.press('Enter')
    await page.getByText('実行中の処理が多すぎます').waitFor()
    await page.context().setOffline(true)
    await page.getByText('オフラインです').waitFor()
    await page.context().setOffline(false)
    await page.getByText('オフラインです').waitFor({ state: 'detached' })
  })

  it('holds words of any length, at 320 px', async () => {
    const page = await open('ivan', 'en')
    await page.setViewportSize({ width: 320, height: 640 })
    await page.getByLabel('Your goal').fill('x'.repeat(150))
    await page.keyboard.press('Enter')
    await eventually(() => page.locator('.history li').count()).toBeGreaterThan(0)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320)
  })
})
