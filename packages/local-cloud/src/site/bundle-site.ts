import { access, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { GatewaySite } from '../gateway.ts'

const mediaTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** The files of a site by their paths. */
export type SiteFiles = ReadonlyMap<string, Uint8Array>

/** Bundles a site: `index.html` as it is, and `main.tsx` with all that it imports as `main.js` and `main.css`. */
export async function bundleSite(directory: URL): Promise<SiteFiles> {
  const folder = fileURLToPath(directory)
  const [index, entry, { build }] = await Promise.all([
    readFile(join(folder, 'index.html')),
    entryOf(folder),
    importEsbuild(),
  ])
  const { outputFiles } = await build({
    entryPoints: { main: entry },
    outdir: '/',
    absWorkingDir: folder,
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    loader: { '.svg': 'file', '.png': 'file', '.woff2': 'file' },
    legalComments: 'none',
    write: false,
    logLevel: 'silent',
  })
  return new Map<string, Uint8Array>([
    ['/', index],
    ...outputFiles.map(({ path, contents }): [string, Uint8Array] => [
      path.replaceAll('\\', '/').replace(/^\w:/, ''),
      contents,
    ]),
  ])
}

/** `connectTo` are other origins that its page may call, such as that of a bucket. */
export function serveSite(files: SiteFiles, connectTo: readonly string[]): GatewaySite {
  const policy = contentSecurityPolicy(connectTo)
  return {
    find(path) {
      const content = files.get(path === '/index.html' ? '/' : path)
      if (content === undefined) return undefined
      return {
        headers: {
          'content-type': mediaTypes[extname(path) || '.html'] ?? 'application/octet-stream',
          'content-security-policy': policy,
          'x-content-type-options': 'nosniff',
          'referrer-policy': 'no-referrer',
          'cache-control': 'no-cache',
        },
        body: Buffer.from(content),
      }
    },
  }
}

/** Scripts, styles and answers come from the site itself; nobody else can frame it. */
function contentSecurityPolicy(connectTo: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src ${["'self'", ...connectTo].join(' ')}`,
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

async function entryOf(folder: string): Promise<string> {
  for (const name of ['main.tsx', 'main.ts']) {
    const file = join(folder, name)
    if (
      await access(file).then(
        () => true,
        () => false,
      )
    )
      return file
  }
  throw new TypeError(`a site must have a main.tsx: ${folder}`)
}

async function importEsbuild(): Promise<typeof import('esbuild')> {
  try {
    return await import('esbuild')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw cause
    throw new TypeError('an app with a site needs esbuild: npm install --save-dev esbuild preact', { cause })
  }
}
