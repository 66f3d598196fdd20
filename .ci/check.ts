import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const root = join(import.meta.dirname, '..')
const { values } = parseArgs({
  options: { 'skip-tests': { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
})
if (values.help) {
  console.log('pnpm check [--skip-tests]\n\nRuns everything that CI runs, and says at the end what failed.')
  process.exit(0)
}

const vitest = ['vitest', 'run', '--config', 'vitest.workspace.ts', '--project'] as const

const steps: readonly (readonly [title: string, command: string, ...args: string[]])[] = [
  ['format and lint', 'biome', 'check', '--error-on-warnings', '.'],
  ['layers', 'turbo', 'boundaries'],
  ['types', 'pnpm', 'typecheck'],
  ['state machines', 'node', 'packages/cli/src/bin.ts', 'check'],
  ['unused code and dependencies', 'knip', '--no-config-hints'],
  ['secrets', 'node', 'packages/release/src/scan-secrets.ts'],
  ['slow regular expressions', 'node', 'packages/release/src/scan-regexps.ts'],
  ['known faults of dependencies', 'node', 'packages/release/src/audit-dependencies.ts'],
  ...(values['skip-tests'] ? [] : [['tests', 'pnpm', 'test'] as const]),
  ['documentation site', 'pnpm', 'run', 'docs'],
  ['packages as published', 'node', 'packages/release/src/lint-packages.ts'],
  [
    'packages as users get them',
    'env',
    'CHECK_RELEASE=1',
    ...vitest,
    '@stepwright/release',
    'publish',
    'lint',
    'recipe',
    'action',
    'new-project',
  ],
]

const failed: string[] = []
for (const [title, command, ...args] of steps) {
  console.log(`\n── ${title}: ${[command, ...args].join(' ')}`)
  const started = performance.now()
  const { status } = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1' },
  })
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`── ${title}: ${status === 0 ? 'ok' : 'FAILED'} after ${seconds} s`)
  if (status !== 0) failed.push(title)
}
console.log(failed.length === 0 ? '\nall checks passed' : `\nfailed: ${failed.join(', ')}`)
process.exit(failed.length === 0 ? 0 : 1)
