// Builds src/scan/scanner-module.ts from simd/scanner.wat. The same source gives the same bytes; a test checks that.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import wabt from 'wabt'

const root = join(import.meta.dirname, '..')
const { parseWat } = await wabt()
const source = readFileSync(join(root, 'simd/scanner.wat'), 'utf8')
const module = parseWat('scanner.wat', source, { simd: true, bulk_memory: true })
const { buffer } = module.toBinary({ write_debug_names: false })
module.destroy()

const lines =
  Buffer.from(buffer)
    .toString('base64')
    .match(/.{1,100}/g) ?? []
writeFileSync(
  join(root, 'src/scan/scanner-module.ts'),
  `// Generated from simd/scanner.wat by scripts/build-scanner.ts: ${buffer.length} bytes of WebAssembly.
export const scannerModule: string =
${lines.map(line => `  '${line}'`).join(' +\n')}
`,
)
