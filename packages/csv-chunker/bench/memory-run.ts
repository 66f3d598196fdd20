// Splits or parses one file, in a process of its own: `memory-run.ts split FILE`.
import { createFileSource, readRows, splitToManifest } from '../src/index.ts'

const [work, path = ''] = process.argv.slice(2)
const source = createFileSource(path)
let rows = 0
if (work === 'split') {
  rows = (await splitToManifest(source)).rowCount
} else {
  for await (const batch of readRows(source)) rows += batch.rows.length
}
if (rows === 0) throw new Error(`no rows in ${path}`)
