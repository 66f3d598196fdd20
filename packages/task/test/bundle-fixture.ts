import { join } from 'node:path'
import { type BuildOptions, build } from 'esbuild'

/** Bundles a handler of `fixtures` as it is deployed. */
export async function bundleFixture(
  fixture: string,
  outfile: string,
  options: Pick<BuildOptions, 'alias' | 'keepNames'>,
): Promise<string> {
  await build({
    entryPoints: [join(import.meta.dirname, `fixtures/${fixture}.ts`)],
    absWorkingDir: join(import.meta.dirname, '..'), // where aliases are looked for
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
