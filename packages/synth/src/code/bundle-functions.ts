import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AnyApp, FunctionDeclaration } from '@stepwright/app'

/** The bundle of a function: a folder whose `index.mjs` exports `handler`. */
export interface FunctionBundle {
  readonly directory: string
  /** Everything in the folder. */
  readonly bytes: number
  /** What is read when the function starts: the entry and what it imports at once. */
  readonly startBytes: number
}

/** Bundles each function of an app by itself, into a folder of its name: minified, names kept, what is imported lazily in files of its own. */
export async function bundleFunctions(
  app: AnyApp,
  outputDirectory: string,
  only: readonly string[] = Object.keys(app.functions),
): Promise<Readonly<Record<string, FunctionBundle>>> {
  const bundled = await Promise.all(
    only.map(async name => [name, await bundleFunction(app, name, join(outputDirectory, name))] as const),
  )
  return Object.fromEntries(bundled)
}

async function bundleFunction(app: AnyApp, name: string, directory: string): Promise<FunctionBundle> {
  const declared: FunctionDeclaration | undefined = app.functions[name]
  if (declared === undefined) throw new TypeError(`there is no function ${name}`)
  const { build } = await importEsbuild()
  await rm(directory, { recursive: true, force: true })
  const { metafile } = await build({
    stdin: {
      contents: `export { ${declared.export} as handler } from ${JSON.stringify(`./${declared.module}`)}`,
      resolveDir: fileURLToPath(app.root),
      sourcefile: 'index.ts',
      loader: 'ts',
    },
    outdir: directory,
    entryNames: 'index',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    minify: true,
    // Error classes carry literal names; Lambda's JSON logs print those of constructors.
    keepNames: true,
    splitting: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    external: ['pg-native'],
    legalComments: 'none',
    metafile: true,
    logLevel: 'silent',
    // CommonJS packages inside an ES module ask for it.
    banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
  })
  const outputs = Object.entries(metafile.outputs)
  const bytesOf = (paths: Iterable<string>): number =>
    [...paths].reduce((sum, path) => sum + (metafile.outputs[path]?.bytes ?? 0), 0)
  const entry = outputs.find(
    ([, { entryPoint }]) => entryPoint !== undefined && entryPoint.startsWith('index'),
  )
  const [entryPath = ''] = entry ?? outputs.find(([path]) => path.endsWith('/index.mjs')) ?? []
  return { directory, bytes: bytesOf(outputs.map(([path]) => path)), startBytes: bytesOf(atOnce(entryPath)) }

  function atOnce(path: string, seen: Set<string> = new Set()): Set<string> {
    if (seen.has(path)) return seen
    seen.add(path)
    for (const { path: imported, kind, external } of metafile.outputs[path]?.imports ?? [])
      if (kind === 'import-statement' && external !== true) atOnce(imported, seen)
    return seen
  }
}

async function importEsbuild(): Promise<typeof import('esbuild')> {
  try {
    return await import('esbuild')
  } catch (cause) {
    throw new Error('Bundling functions needs esbuild: npm install --save-dev esbuild', { cause })
  }
}
