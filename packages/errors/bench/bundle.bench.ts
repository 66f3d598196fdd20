import { figure } from '@stepwright/bench'
import { build } from 'esbuild'

const { outputFiles } = await build({
  stdin: {
    contents: `export { DatabaseConnectionError, DataValidationError, parseCause, toTaskError } from '@stepwright/errors'`,
    resolveDir: import.meta.dirname,
  },
  bundle: true,
  minify: true,
  format: 'esm',
  platform: 'node',
  write: false,
})
const bytes = outputFiles[0]?.contents.byteLength ?? Number.NaN
console.log(`two classes, toTaskError and parseCause, minified: ${bytes} bytes`)
figure('errors.bundle_bytes', bytes, { atMost: 4096 })
