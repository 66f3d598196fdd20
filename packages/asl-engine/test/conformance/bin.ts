import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { loadCorpus } from './corpus.ts'
import { judgeAll } from './judge.ts'
import { renderDocument, renderTable, summarise } from './report.ts'

const root = join(import.meta.dirname, '../../../..')
const openCorpus = join(root, '../shared/conformance')

async function main(): Promise<void> {
  const flags = process.argv.slice(2).filter(argument => argument.startsWith('--'))
  const [directory = openCorpus] = process.argv.slice(2).filter(argument => !argument.startsWith('--'))
  const results = await judgeAll(await loadCorpus(directory))
  if (flags.includes('--json')) {
    process.stdout.write(`${JSON.stringify({ summary: summarise(results), results }, undefined, 2)}\n`)
    return
  }
  process.stdout.write(renderTable(results))
  // The page tells of the open recordings, whatever else is run.
  if (flags.includes('--no-doc') || resolve(directory) !== resolve(openCorpus)) return
  mkdirSync(join(root, 'docs'), { recursive: true })
  writeFileSync(join(root, 'docs/asl-conformance.md'), renderDocument(results))
}

await main()
