import { existsSync, rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accessibilityProblems } from './accessibility.ts'
import { findChromium, whyNoBrowser } from './chromium.ts'
import { openBrowser, type TestBrowser } from './open-browser.ts'
import { screenshot } from './screenshot.ts'

describe('whyNoBrowser', () => {
  it('names a CHROMIUM_PATH that does not exist', () => {
    expect(whyNoBrowser({ CHROMIUM_PATH: '/nowhere/chromium' })).toBe(
      'CHROMIUM_PATH names /nowhere/chromium, which does not exist',
    )
    expect(() => findChromium({ CHROMIUM_PATH: '/nowhere/chromium' })).toThrow(
      'There is no browser for tests',
    )
  })

  it('takes the browser of CHROMIUM_PATH as it is', () => {
    expect(findChromium({ CHROMIUM_PATH: process.execPath })).toEqual({ executablePath: process.execPath })
  })
})

describe.skipIf(whyNoBrowser() !== undefined)('openBrowser', () => {
  let browser: TestBrowser
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser?.close())

  it('shows a page in the size and the colours asked for', async () => {
    const page = await browser.newPage({ width: 390, dark: true })
    await page.setContent('<button>Go</button>')
    await page.click('text=Go')
    expect(await page.evaluate('innerWidth')).toBe(390)
    expect(await page.evaluate('matchMedia("(prefers-color-scheme: dark)").matches')).toBe(true)
    const path = await screenshot(page, 'browser/button')
    expect(existsSync(path)).toBe(true)
    rmSync(path)
  })

  it('keeps what pages complain of', async () => {
    const page = await browser.newPage()
    await page.setContent('<script>console.error("seen"); throw new Error("thrown")</script>')
    await expect.poll(() => browser.problems).toEqual(expect.arrayContaining(['seen', 'thrown']))
  })

  it('finds what is serious for people who do not see the page', async () => {
    const page = await browser.newPage()
    await page.setContent('<html lang="en"><title>A</title><main><h1>A</h1><button></button></main></html>')
    expect(await accessibilityProblems(page)).toEqual([expect.stringContaining('button-name')])
  })
})
