import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The page's files by their path. */
export type Pages = ReadonlyMap<string, { readonly type: string; readonly content: Uint8Array }>

const built = join(import.meta.dirname, 'pages')
const sources = join(import.meta.dirname, '../web')

/** Of a checkout, where nothing is built; esbuild is there then. */
async function bundlePages(): Promise<readonly [Uint8Array, Uint8Array]> {
  const bundler = (await import(new URL('../scripts/bundle-pages.ts', import.meta.url).href)) as {
    bundlePages: () => Promise<readonly [Uint8Array, Uint8Array]>
  }
  return bundler.bundlePages()
}

/** As published they are built; in a checkout they are built now. */
export async function loadPages(): Promise<Pages> {
  const index = await readFile(join(existsSync(built) ? built : sources, 'index.html'))
  const [script, style] = existsSync(built)
    ? await Promise.all([readFile(join(built, 'main.js')), readFile(join(built, 'main.css'))])
    : await bundlePages()
  return new Map([
    ['/', { type: 'text/html; charset=utf-8', content: index }],
    ['/main.js', { type: 'text/javascript; charset=utf-8', content: script }],
    ['/main.css', { type: 'text/css; charset=utf-8', content: style }],
  ])
}
