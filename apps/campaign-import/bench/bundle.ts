import { join } from 'node:path'
import { build } from 'esbuild'

/** Bundles one of `handlers/` as it is deployed: what is imported lazily lies in files of its own. */
export async function bundle(name: string, directory: string): Promise<string> {
  await build({
    entryPoints: [join(import.meta.dirname, `handlers/${name}.ts`)],
    outdir: join(directory, name),
    outExtension: { '.js': '.mjs' },
    bundle: true,
    minify: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    external: ['pg-native'],
    banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
  })
  return join(directory, name, `${name}.mjs`)
}
