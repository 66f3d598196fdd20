import { join } from 'node:path'
import { build } from 'esbuild'

const sources = join(import.meta.dirname, '../web')

/** The script and the style sheet. */
export async function bundlePages(): Promise<readonly [Uint8Array, Uint8Array]> {
  const { outputFiles } = await build({
    entryPoints: [join(sources, 'main.tsx')],
    outdir: '/',
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2024',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    write: false,
    logLevel: 'silent',
  })
  const find = (end: string): Uint8Array =>
    outputFiles.find(({ path }) => path.endsWith(end))?.contents ?? new Uint8Array()
  return [find('.js'), find('.css')]
}
