import { join } from 'node:path'
import { build } from 'esbuild'

/** The element as a page loads it. */
export async function bundleElement(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, '../src/define.ts')],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2024',
    write: false,
  })
  return outputFiles[0]?.text ?? ''
}
