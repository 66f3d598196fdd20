import { join } from 'node:path'
import { type BuildOptions, build } from 'esbuild'

/** Bundles a handler as it is deployed. Its path is relative to the package. */
export async function bundleHandler(
  entry: string,
  outfile: string,
  options: Pick<BuildOptions, 'alias' | 'keepNames'> = {},
): Promise<string> {
  await build({
    entryPoints: [entry],
    absWorkingDir: join(import.meta.dirname, '..'),
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'esm',
    outfile,
    banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
    ...options,
  })
  return outfile
}
