import type { App } from '@stepwright/app'
import { openBrowser, type TestBrowser } from '@stepwright/browser'
import { type RunningApp, type StartAppOptions, startApp } from '@stepwright/local-cloud'
import { type Console, createConsoleFeed, startConsole } from '../src/index.ts'

export type Page = Awaited<ReturnType<TestBrowser['newPage']>>

export interface RunningConsole extends AsyncDisposable {
  readonly running: RunningApp
  readonly console: Console
}

/** A real app on the local cloud, its console, and a browser. */
export interface OpenConsole extends RunningConsole {
  readonly browser: TestBrowser
}

/** One of the repository's apps, from its config, as `stepwright dev` takes it. */
export async function importApp(name: string): Promise<App> {
  const config = new URL(`../../../apps/${name}/stepwright.config.ts`, import.meta.url)
  return ((await import(config.href)) as { default: App }).default
}

export async function startWithConsole(
  app: App,
  { environment, ...options }: StartAppOptions = {},
): Promise<RunningConsole> {
  await using started = new AsyncDisposableStack()
  const feed = createConsoleFeed()
  const running = started.use(
    await startApp(app, {
      environment: { POWERTOOLS_LOG_LEVEL: 'SILENT', ...environment },
      enforcePolicies: true,
      onCall: feed.onCall,
      onStatusChange: feed.onStatusChange,
      onLog: () => undefined,
      ...options,
    }),
  )
  const console = started.use(await startConsole({ app, running, feed }))
  const all = started.move()
  return { running, console, [Symbol.asyncDispose]: () => all.disposeAsync() }
}

export async function openConsole(name: string): Promise<OpenConsole> {
  await using started = new AsyncDisposableStack()
  const { running, console } = started.use(await startWithConsole(await importApp(name)))
  const browser = started.use(await openBrowser())
  const all = started.move()
  return { running, console, browser, [Symbol.asyncDispose]: () => all.disposeAsync() }
}

/** A page of the console, at that place. */
export async function openPage(
  { browser, console }: Pick<OpenConsole, 'browser' | 'console'>,
  place = '',
): Promise<Page> {
  const page = await browser.newPage()
  page.setDefaultTimeout(20_000)
  await page.goto(`${console.url}${place}`)
  return page
}

/** Drops a file onto the page, as a user does. */
export async function dropFile(page: Page, name: string, content: string): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    `(() => { const data = new DataTransfer(); data.items.add(new File([${JSON.stringify(content)}], ${JSON.stringify(name)})); return data })()`,
  )
  await page.dispatchEvent('section.page', 'drop', { dataTransfer })
}

/** Opens the objects at a prefix and drops a file there; `bucket` is the app's name for it. */
export async function dropObject(
  page: Page,
  { console, running }: RunningConsole,
  { bucket = '', key, content }: { readonly bucket?: string; readonly key: string; readonly content: string },
): Promise<void> {
  const name = key.split('/').at(-1) ?? ''
  const query = new URLSearchParams({ prefix: key.slice(0, -name.length) })
  if (bucket) query.set('bucket', running.names.buckets[bucket] ?? '')
  await page.goto(`${console.endpoint}/#/objects?${query}`)
  await page.getByRole('heading', { name: 'Objects' }).waitFor()
  await dropFile(page, name, content)
  await page.getByText(`Uploaded ${key}.`).waitFor()
}

/** What the heading says of the execution. */
export function statusOf(page: Page, name: string): ReturnType<Page['locator']> {
  return page.locator('.page-head .status', { hasText: name })
}

/** Opens an execution by the beginning of its name, from the list. */
export async function openExecution(page: Page, endpoint: string, name: string): Promise<void> {
  await page.goto(`${endpoint}/#/executions?search=${encodeURIComponent(name)}`)
  await page.getByRole('link', { name: new RegExp(`^${name}`) }).click()
  await page.getByRole('heading', { level: 1, name }).waitFor()
}
