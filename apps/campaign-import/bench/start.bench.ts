import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { compare, figure } from '@stepwright/bench'
import { startApp } from '@stepwright/local-cloud'
import { startPostgres } from '@stepwright/local-postgres'
import { app } from '../src/app.ts'

// A disk takes up to half a second for the files of a new cluster, depending on what was deleted on it just before.
const memory = '/dev/shm'
if (existsSync(memory)) process.env['TMPDIR'] ??= memory

const run = promisify(execFile)
const handlers = new URL('../src/functions/index.ts', import.meta.url).href
const env = { PATH: process.env['PATH'], NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache') }

const running: AsyncDisposable[] = []

async function startDatabase(): Promise<void> {
  running.push(await startPostgres())
}

/** A process of Node that has the app's code, as that of its functions does. */
async function loadHandlers(): Promise<void> {
  await run(process.execPath, ['--input-type=module', '-e', `await import(${JSON.stringify(handlers)})`], {
    env,
  })
}

const times = await compare(
  'start of campaign-import on the local cloud, ready for its first request',
  {
    async app() {
      running.push(await startApp(app, { environment: { POWERTOOLS_LOG_LEVEL: 'SILENT' } }))
    },
    postgres: startDatabase,
    handlers: loadHandlers,
    async parts() {
      await startDatabase()
      await loadHandlers()
    },
  },
  {
    rounds: 9,
    warmups: 2,
    async before() {
      for (const one of running.splice(0)) await one[Symbol.asyncDispose]()
    },
  },
)
for (const one of running) await one[Symbol.asyncDispose]()
figure('campaign.start.vs_parts', times.app.medianMs / times.parts.medianMs, { atMost: 1.6 })
