import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '1000' }, help: { type: 'boolean', short: 'h' } },
})
if (values.help) {
  console.log(
    'pnpm chaos [package…] [--rounds N]\n\nRuns the kill, soak and fuzz tests (*.chaos.test.ts) for N rounds each (1000).',
  )
  process.exit(0)
}
if (!/^[1-9]\d*$/.test(values.rounds)) {
  console.error(`--rounds takes a whole number above 0, not "${values.rounds}"`)
  process.exit(2)
}

const projects = positionals.flatMap(name => ['--project', `@stepwright/${name.replace('@stepwright/', '')}`])
const run = spawnSync(
  'vitest',
  ['run', '--config', 'vitest.workspace.ts', '--testTimeout', '0', ...projects, '.chaos.test.ts'],
  {
    cwd: join(import.meta.dirname, '../../..'),
    stdio: 'inherit',
    env: { ...process.env, CHAOS_ROUNDS: values.rounds },
  },
)
process.exit(run.status ?? 1)
