import {
  accessibilityProblems,
  openBrowser,
  screenshotLooks,
  type TestBrowser,
  whyNoBrowser,
} from '@stepwright/browser'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { csvOf, type RunningCampaigns, startCampaigns } from './test/running-campaigns.ts'

type Page = Awaited<ReturnType<TestBrowser['newPage']>>

describe.skipIf(whyNoBrowser() !== undefined)('the page for staff', { timeout: 120_000 }, () => {
  let app: RunningCampaigns
  let browser: TestBrowser
  beforeAll(async () => {
    ;[app, browser] = await Promise.all([startCampaigns(), openBrowser()])
  }, 60_000)
  afterAll(async () => {
    await browser?.close()
    await app?.stop()
  }, 60_000)

  async function open(user: string): Promise<Page> {
    const page = await browser.newPage()
    await page.goto(`${app.gateway?.endpoint}/#token=${app.gateway?.issueToken({ sub: user })}`)
    return page
  }

  /** As somebody drags a file onto the page. */
  async function drop(page: Page, name: string, csv: string): Promise<void> {
    const file = `new File([${JSON.stringify(csv)}], ${JSON.stringify(name)}, { type: 'text/csv' })`
    const data = await page.evaluateHandle(
      `(() => { const files = new DataTransfer(); files.items.add(${file}); return files })()`,
    )
    await page.locator('.drop').dispatchEvent('drop', { dataTransfer: data })
  }

  async function fill(page: Page, hours: number): Promise<void> {
    await page.getByLabel('差出人').fill('お店 <news@example.jp>')
    await page.getByLabel('件名').fill('{name}様へのお知らせ')
    await page.getByLabel('本文（テキスト）').fill('こんにちは')
    await page.getByLabel('本文（HTML）').fill('<p>こんにちは</p>')
    await page.getByLabel('送信日時').fill(localTime(hours))
  }

  it('takes a CSV, shows its import, the rows that were refused and why, and changes it', async () => {
    const page = await open('ann')
    expect(page.url()).not.toContain('token')
    await drop(page, 'members.csv', `${csvOf(1200)}nobody,x\n,y\n`)
    await page.getByText('members.csv').waitFor()
    await fill(page, 2)
    await screenshotLooks(page, 'campaign-import/new')
    await page.getByRole('button', { name: '登録する' }).click()
    await page.locator('article .status', { hasText: '送信予約済' }).waitFor()
    expect(await page.locator('dl').textContent()).toBe('宛先1,200重複0除外した行2')
    expect(await page.getByRole('row').allTextContents()).toEqual([
      '行理由',
      '1,201メールアドレスではありません',
      '1,202メールアドレスがありません',
    ])
    expect(await accessibilityProblems(page)).toEqual([])
    await screenshotLooks(page, 'campaign-import/imported')

    await page.getByRole('link', { name: '変更・CSV差し替え' }).click()
    expect(await page.getByLabel('差出人').inputValue()).toBe('お店 <news@example.jp>')
    await drop(page, 'mended.csv', csvOf(3))
    await page.getByLabel('送信日時').fill(localTime(48))
    await page.getByRole('button', { name: '変更する' }).click()
    await expect.poll(() => page.locator('dl').textContent(), { timeout: 20_000 }).toContain('宛先3重複')
    const id = page.url().split('/').at(-1) as string
    const { scheduled_at } = await app.show(id)
    expect(Date.parse(scheduled_at)).toBeGreaterThan(Date.now() + 47 * 3_600_000)
  })

  it('says what is wrong with a field, and with a file', async () => {
    const page = await open('ann')
    await drop(page, 'phone.csv', 'tel\n1\n')
    await fill(page, -2)
    await page.getByRole('button', { name: '登録する' }).click()
    await page.locator('.field.wrong', { hasText: 'must be in the future' }).waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    await page.getByLabel('送信日時').fill(localTime(2))
    await page.getByRole('button', { name: '登録する' }).click()
    await page.getByText('CSVを取り込めませんでした。').waitFor()
    await screenshotLooks(page, 'campaign-import/failed')
    await page.getByText('メールアドレスの列がありません').waitFor()
  })

  it('sends again to who is unconfirmed', async () => {
    const id = await app.register('email\nlost@example.jp\nfound@example.jp\n', 500)
    await app.finished('send', id)
    await app.loseSightOf(id, 'lost@example.jp')
    const page = await open('ann')
    await page.locator(`nav a[href="#/${id}"]`).click()
    await page.getByRole('button', { name: '未確認の1件に再送' }).click()
    await expect.poll(() => page.locator('dl').textContent(), { timeout: 20_000 }).toContain('送信済2')
    await screenshotLooks(page, 'campaign-import/sent')
    expect(browser.problems.filter(problem => !problem.includes('status of 400'))).toEqual([])
  })

  it('cancels a campaign that is scheduled', async () => {
    const id = await app.register('email\nann@example.jp\n')
    await app.finished('import', id)
    const page = await open('ann')
    await page.locator(`nav a[href="#/${id}"]`).click()
    await page.getByRole('button', { name: '取り消す' }).click()
    await page.locator('article .status', { hasText: '取消済' }).waitFor()
    expect(await page.getByRole('button', { name: '取り消す' }).count()).toBe(0)
    expect(await page.getByRole('link', { name: '変更・CSV差し替え' }).count()).toBe(0)
  })

  it('shows nothing without a token', async () => {
    const page = await browser.newPage()
    await page.goto(`${app.gateway?.endpoint}/`)
    await page.getByText('トークンがありません').waitFor()
  })
})

function localTime(hours: number): string {
  const time = new Date(Date.now() + hours * 3_600_000)
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
