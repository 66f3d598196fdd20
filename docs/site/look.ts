import { createReadStream, existsSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { accessibilityProblems, openBrowser, screenshotLooks } from '../../packages/browser/src/index.ts'

const looked = [
  '',
  'tutorial',
  'concepts/exactly-once',
  'guides/import-a-large-csv',
  'ja/getting-started',
  'handlers',
  'api/task',
]
const searches = ['idempotency', 'ledger', 'kinds/business-retried']

/** The site's script makes code that scrolls reachable by keyboard, a moment after the page is there. */
const codeIsFocusable = `[...document.querySelectorAll('pre')].every(
  pre => pre.scrollWidth <= pre.clientWidth || pre.hasAttribute('tabindex')
)`

/** What a browser finds wrong with the built site, served at the root of a host. */
export async function look(dist: string): Promise<readonly string[]> {
  await using site = await serve(dist)
  await using browser = await openBrowser()
  const page = await browser.newPage()
  const problems: string[] = []
  page.on('request', request => {
    if (!request.url().startsWith(site.url) && !request.url().startsWith('data:'))
      problems.push(`fetched ${request.url()}`)
  })
  for (const slug of looked) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.goto(`${site.url}/${slug}${slug === '' ? '' : '/'}`)
      await page.waitForFunction(codeIsFocusable)
      for (const found of await accessibilityProblems(page))
        problems.push(`/${slug} ${colorScheme}: ${found}`)
    }
    await page.setViewportSize({ width: 390, height: 844 })
    const wide = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
    if (wide) problems.push(`/${slug}: is wider than a phone`)
    await screenshotLooks(page, `site/${slug.replaceAll('/', '-') || 'index'}`)
    await page.setViewportSize({ width: 1280, height: 800 })
  }
  for (const words of searches) {
    await page.goto(site.url, { waitUntil: 'networkidle' })
    await page.getByRole('button', { name: 'Search' }).click()
    await page.getByRole('textbox', { name: 'Search' }).fill(words)
    try {
      await page.locator('.pagefind-ui__result-link').first().waitFor({ timeout: 10_000 })
    } catch {
      problems.push(`a search for "${words}" finds nothing`)
    }
  }
  await screenshotLooks(page, 'site/search')
  return [...problems, ...browser.problems]
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
}

async function serve(dist: string): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer((request, response) => {
    const path = join(dist, decodeURIComponent(new URL(request.url ?? '/', 'http://site').pathname))
    const file = existsSync(path) && statSync(path).isDirectory() ? join(path, 'index.html') : path
    if (!existsSync(file)) {
      response.writeHead(404).end()
      return
    }
    response.setHeader('content-type', types[extname(file)] ?? 'application/octet-stream')
    createReadStream(file).pipe(response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
