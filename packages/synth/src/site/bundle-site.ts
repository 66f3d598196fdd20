import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BuildOptions, BuildResult } from 'esbuild'
import { requireEsbuild } from '../code/require-esbuild.ts'

/** A file of a site, as a browser gets it. */
export interface SiteFile {
  /** `/` for the page, `/main.js` for what it loads. */
  readonly path: string
  readonly contentType: string
  readonly etag: string
  readonly content: Uint8Array
}

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

/** Bundles a site: `index.html` as it is, and `main.tsx` with all that it imports as `main.js` and `main.css`. */
export async function bundleSite(directory: URL): Promise<readonly SiteFile[]> {
  const { build } = requireEsbuild(needed)
  return toFiles(directory, await build(optionsFor(directory)))
}

/** The same, where nobody can wait. */
export function bundleSiteSync(directory: URL): readonly SiteFile[] {
  const { buildSync } = requireEsbuild(needed)
  return toFiles(directory, buildSync(optionsFor(directory)))
}

const needed = 'a site: npm install --save-dev esbuild preact'

function optionsFor(directory: URL): BuildOptions & { readonly write: false } {
  const folder = fileURLToPath(directory)
  return {
    entryPoints: { main: entryOf(folder) },
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
  }
}

function toFiles(directory: URL, { outputFiles }: BuildResult<{ write: false }>): readonly SiteFile[] {
  return [
    toFile('/', readFileSync(join(fileURLToPath(directory), 'index.html'))),
    ...outputFiles.map(({ path, contents }) =>
      toFile(path.replaceAll('\\', '/').replace(/^\w:/, ''), contents),
    ),
  ]
}

function toFile(path: string, content: Uint8Array): SiteFile {
  const contentType = mediaTypes[extname(path) || '.html'] ?? 'application/octet-stream'
  const etag = `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`
  return { path, contentType, etag, content }
}

function entryOf(folder: string): string {
  const found = ['main.tsx', 'main.ts'].map(name => join(folder, name)).find(file => existsSync(file))
  if (found === undefined) throw new TypeError(`a site must have a main.tsx: ${folder}`)
  return found
}
