import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { removeBundle } from '../code/remove-bundle.ts'
import { requireEsbuild } from '../code/require-esbuild.ts'
import { bundleSiteSync } from './bundle-site.ts'
import { createSiteHandler, type HeldFile } from './site-handler.ts'

/** The handler beside this module, which is TypeScript here and JavaScript where it is installed. */
const handlerFile = fileURLToPath(import.meta.url.replace(/bundle-site-function(\.[jt]s)$/, 'site-handler$1'))

/** Bundles the function of a site into a folder; how large its one file is. */
export function bundleSiteFunction(directory: URL, outputDirectory: string): number {
  const files = Object.fromEntries(
    bundleSiteSync(directory).map(({ path, contentType, etag, content }): [string, HeldFile] => {
      const isBase64Encoded = !/^text\/|^application\/json|svg/.test(contentType)
      const body = Buffer.from(content).toString(isBase64Encoded ? 'base64' : 'utf8')
      return [path, { contentType, etag, body, isBase64Encoded }]
    }),
  )
  removeBundle(outputDirectory)
  mkdirSync(outputDirectory, { recursive: true })
  const { metafile } = requireEsbuild('a site').buildSync({
    stdin: {
      contents: `import { ${createSiteHandler.name} as create } from ${JSON.stringify(handlerFile)}
const connectTo = (process.env.CONNECT_TO ?? '').split(' ').filter(Boolean)
export const handler = create(${JSON.stringify(files)}, connectTo)`,
      resolveDir: outputDirectory,
      sourcefile: 'index.ts',
      loader: 'ts',
    },
    outfile: join(outputDirectory, 'index.mjs'),
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    charset: 'utf8',
    metafile: true,
    logLevel: 'silent',
  })
  return Object.values(metafile.outputs).reduce((sum, { bytes }) => sum + bytes, 0)
}
