import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { App, FunctionDeclaration } from '@stepwright/app'
import type { BuildOptions, Metafile } from 'esbuild'
import { bundleSiteFunction } from '../site/bundle-site-function.ts'
import { siteFunctionName } from '../site/with-site.ts'
import { removeBundle } from './remove-bundle.ts'
import { requireEsbuild } from './require-esbuild.ts'

/** The bundle of a function: a folder whose `index.mjs` exports `handler`. */
export interface FunctionBundle {
  readonly directory: string
  /** Everything in the folder. */
  readonly bytes: number
  /** What is read when the function starts: the entry and what it imports at once. */
  readonly startBytes: number
}

/** What is exported by a module, relative to a folder. */
export interface FunctionEntry {
  readonly root: string
  readonly module: string
  readonly export: string
}

/** Bundles each function of an app by itself, into a folder of its name; for its site, take a deployment's app. */
export function bundleFunctions(
  app: App,
  outputDirectory: string,
  only: readonly string[] = Object.keys(app.functions),
): Readonly<Record<string, FunctionBundle>> {
  return Object.fromEntries(
    only.map(name => {
      const directory = join(outputDirectory, name)
      if (name === siteFunctionName && app.site !== undefined) {
        const bytes = bundleSiteFunction(new URL(app.site.directory, app.root), directory)
        return [name, { directory, bytes, startBytes: bytes }]
      }
      const declared: FunctionDeclaration | undefined = app.functions[name]
      if (declared === undefined) throw new TypeError(`there is no function ${name}`)
      const entry = { root: fileURLToPath(app.root), module: declared.module, export: declared.export }
      return [name, bundleFunction(entry, directory)]
    }),
  )
}

/**
 * Bundles a function as it is deployed: minified, names kept, what is imported lazily in files of its own. An earlier
 * bundle in the directory is replaced.
 * @throws OutputDirectoryError for a directory with other files
 */
export function bundleFunction(entry: FunctionEntry, directory: string): FunctionBundle {
  removeBundle(directory)
  const { buildSync } = requireEsbuild('functions: npm install --save-dev esbuild')
  const { metafile } = buildSync({ ...optionsFor(entry), outdir: directory, metafile: true })
  return { directory, ...sizesOf(metafile) }
}

function optionsFor({ root, module, export: name }: FunctionEntry): BuildOptions {
  return {
    stdin: {
      contents: `export { ${name} as handler } from ${JSON.stringify(`./${module}`)}`,
      resolveDir: root,
      sourcefile: 'index.ts',
      loader: 'ts',
    },
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
    // ES modules first: what nobody uses of an SDK is left out.
    mainFields: ['module', 'main'],
    external: ['pg-native'],
    legalComments: 'none',
    logLevel: 'silent',
    // CommonJS packages inside an ES module ask for it.
    banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
  }
}

function sizesOf({ outputs }: Metafile): Pick<FunctionBundle, 'bytes' | 'startBytes'> {
  const bytesOf = (paths: readonly string[]): number =>
    paths.reduce((sum, path) => sum + (outputs[path]?.bytes ?? 0), 0)
  const all = Object.keys(outputs)
  const atOnce = new Set<string>()
  const visit = (path: string): void => {
    if (atOnce.has(path)) return
    atOnce.add(path)
    for (const { path: imported, kind, external } of outputs[path]?.imports ?? [])
      if (kind === 'import-statement' && external !== true) visit(imported)
  }
  for (const path of all) if (path.endsWith('/index.mjs')) visit(path)
  return { bytes: bytesOf(all), startBytes: bytesOf([...atOnce]) }
}
