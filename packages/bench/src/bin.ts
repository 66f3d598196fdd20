import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const root = join(import.meta.dirname, '../../..')
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { help: { type: 'boolean', short: 'h' } },
})
if (values.help) {
  console.log(
    'pnpm bench [package…]\n\nRuns bench/*.bench.ts of the packages named, or of all. Exits with 1 where a figure misses its goal.',
  )
  process.exit(0)
}

const chosen = positionals.length > 0 ? `{${positionals.join(',')},}` : '*'
const files = globSync(`{packages,apps}/${chosen}/bench/*.bench.ts`, { cwd: root }).toSorted()
if (files.length === 0) {
  console.error(`no benchmarks in ${positionals.join(', ') || 'any package'}`)
  process.exit(2)
}

const failed: string[] = []
const figures: string[] = []
for (const file of files) {
  console.log(`\n── ${file}`)
  const run = spawnSync(process.execPath, ['--expose-gc', file], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  process.stdout.write(run.stdout)
  figures.push(...run.stdout.split('\n').filter(line => line.startsWith('figure ')))
  if (run.status !== 0) failed.push(file)
}
console.log(`\n── figures\n${figures.join('\n')}`)
if (failed.length > 0) {
  console.error(`\nmissed or failed: ${failed.join(', ')}`)
  process.exit(1)
}
