import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readPages, repositoryRoot } from '../../packages/docs/src/index.ts'

/** `pnpm run docs [--dev]`: installs what the site is built with, in this folder alone, and builds or serves it. */

const here = import.meta.dirname
const environment = { ...process.env, ASTRO_TELEMETRY_DISABLED: '1' }
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
const { clear, collect } = await import('./collect.ts')
clear()
const { pages } = collect({ base: values.base })
console.log(`${pages} pages`)
const astro = join(here, 'node_modules/astro/bin/astro.mjs')
if (values.dev) serve()
else {
  run(process.execPath, [astro, 'build', '--force', '--base', values.base])
  await check()
}

/** Until Ctrl-C; a page that changes is collected again. */
function serve(): void {
  const args = [astro, 'dev', '--port', values.port, '--host', '127.0.0.1', '--base', values.base]
  const server = spawn(process.execPath, args, { cwd: here, stdio: 'inherit', env: environment })
  let before = sources()
  const watching = setInterval(() => {
    const now = sources()
    if (now !== before) collect({ base: values.base })
    before = now
  }, 1000)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => server.kill(signal))
  server.on('exit', code => {
    clearInterval(watching)
    process.exitCode = code ?? 0
  })
}

function sources(): string {
  return readPages(repositoryRoot)
    .map(({ markdown }) => markdown)
    .join()
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
  const { status } = spawnSync(command, args, { cwd: here, stdio: 'inherit', env: environment })
  if (status !== 0) process.exit(status ?? 1)
}
