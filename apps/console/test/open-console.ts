import type { AnyApp } from '@stepwright/app'
import { openBrowser, type TestBrowser } from '@stepwright/browser'
import { type RunningApp, startApp } from '@stepwright/local-cloud'
import { type Console, createConsoleFeed, startConsole } from '../src/index.ts'

export type Page = Awaited<ReturnType<TestBrowser['newPage']>>

/** A real app on the local cloud, its console, and a browser. */
export interface OpenConsole extends AsyncDisposable {
  readonly running: RunningApp
  readonly console: Console
  readonly browser: TestBrowser
}

/** Takes the app from its config, as `stepwright dev` does. */
export async function openConsole(config: URL): Promise<OpenConsole> {
  const { default: app } = (await import(config.href)) as { default: AnyApp }
  await using started = new AsyncDisposableStack()
  const feed = createConsoleFeed()
  const running = started.use(
    await startApp(app, {
      environment: { POWERTOOLS_LOG_LEVEL: 'SILENT' },
      enforcePolicies: true,
      onCall: feed.onCall,
      onStatusChange: feed.onStatusChange,
      onLog: () => undefined,
    }),
  )
  const console = started.use(await startConsole({ app, running, feed }))
  const browser = started.use(await openBrowser())
  const all = started.move()
  return { running, console, browser, [Symbol.asyncDispose]: () => all.disposeAsync() }
}

/** Drops a file onto the page, as a user does. */
export async function dropFile(page: Page, name: string, content: string): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    `(() => { const data = new DataTransfer(); data.items.add(new File([${JSON.stringify(content)}], ${JSON.stringify(name)})); return data })()`,
  )
  await page.dispatchEvent('section.page', 'drop', { dataTransfer })
}
