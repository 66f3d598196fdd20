import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { type Chromium, findChromium } from './chromium.ts'

export interface PageOptions {
  /** Of the window, in CSS pixels. @default 1280 */
  readonly width?: number
  /** Of the window, in CSS pixels. @default 800 */
  readonly height?: number
  /** @default false */
  readonly dark?: boolean
}

export interface TestBrowser extends AsyncDisposable {
  /** A page in a profile of its own: no cookie or storage of another page. */
  newPage(options?: PageOptions): Promise<Page>
  /** What the pages have complained of so far: uncaught errors, console errors, refused by the CSP. */
  readonly problems: readonly string[]
  close(): Promise<void>
}

// No --disable-web-security and no --single-process, both of which the package's own list has: tests of
// origins and of content policies would see a browser that nobody uses.
const launchArguments = [
  '--no-sandbox',
  '--no-zygote',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-domain-reliability',
  '--font-render-hinting=none',
  '--force-color-profile=srgb',
  '--no-first-run',
]

/** Starts Chromium without a window. Rejects with the reason in words where there is none. */
export async function openBrowser(): Promise<TestBrowser> {
  const browser = await launch(findChromium())
  const problems: string[] = []
  const close = async (): Promise<void> => {
    await browser.close()
  }
  return {
    problems,
    async newPage({ width = 1280, height = 800, dark = false } = {}) {
      const context: BrowserContext = await browser.newContext({
        viewport: { width, height },
        colorScheme: dark ? 'dark' : 'light',
        reducedMotion: 'reduce',
      })
      const page = await context.newPage()
      page.on('pageerror', error => problems.push(error.message))
      page.on('console', message => {
        if (message.type() === 'error') problems.push(message.text())
      })
      return page
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

async function launch({ executablePath, libraryPath }: Chromium): Promise<Browser> {
  const options = { executablePath, args: launchArguments, chromiumSandbox: false }
  try {
    return await chromium.launch(options)
  } catch (error) {
    if (libraryPath === undefined || !String(error).includes('shared libraries')) throw error
    return await chromium.launch({ ...options, env: { ...process.env, LD_LIBRARY_PATH: libraryPath } })
  }
}
