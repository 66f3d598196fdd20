import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

/** `pnpm run docs [--dev]`: installs what the site is built with, in this folder alone, and builds or serves it. */

const here = import.meta.dirname
const { values } = parseArgs({
  options: {
    dev: { type: 'boolean', default: false },
    look: { type: 'boolean', default: false },
    port: { type: 'string', default: '4321' },
    base: { type: 'string', default: '/' },
    help: { type: 'boolean', short: 'h' },
  },
})
if (values.help) {
  console.log(`pnpm run docs [--dev | --look] [--port N] [--base PATH]

Builds the documentation site into docs/site/dist, or serves it on this machine with --dev.

  --look       opens what was built in a browser: search, accessibility, requests, pictures in .cache/screenshots
  --port N     the port of --dev [default: 4321]
  --base PATH  where the site is put on its host, e.g. /stepwright [default: /]`)
  process.exit(0)
}

run('pnpm', ['install', '--frozen-lockfile', '--prefer-offline'])
const { collect } = await import('./collect.ts')
const { pages } = collect()
console.log(`${pages} pages`)
const astro = join(here, 'node_modules/astro/bin/astro.mjs')
const options = ['--base', values.base]
if (values.dev)
  run(process.execPath, [astro, 'dev', '--port', values.port, '--host', '127.0.0.1', ...options])
else {
  run(process.execPath, [astro, 'build', ...options])
  await check()
}

async function check(): Promise<void> {
  const { problemsOf } = await import('./check-built.ts')
  const dist = join(here, 'dist')
  const problems = [...problemsOf(dist, values.base)]
  if (values.look) problems.push(...(await (await import('./look.ts')).look(dist)))
  for (const problem of problems) console.error(problem)
  console.log(problems.length === 0 ? 'no problems' : `${problems.length} problems`)
  process.exitCode = problems.length === 0 ? 0 : 1
}

function run(command: string, args: readonly string[]): void {
  const env = { ...process.env, ASTRO_TELEMETRY_DISABLED: '1' }
  const { status } = spawnSync(command, args, { cwd: here, stdio: 'inherit', env })
  if (status !== 0) process.exit(status ?? 1)
}
