import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { figure, peakRssMb } from '@stepwright/bench'
import { build } from 'esbuild'
import { plan } from '../src/test/memory-world.ts'
import { startGenerations, userOf } from '../src/test/running-app.ts'

const directory = await mkdtemp(join(tmpdir(), 'stepwright-worker-'))
await using running = await startGenerations({}, { environment: { PARALLEL_CALLS: '4' } })
try {
  const worker = join(directory, 'worker.mjs')
  await build({
    entryPoints: [join(import.meta.dirname, 'handlers/worker.ts')],
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'esm',
    outfile: worker,
    banner: {
      js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);",
    },
  })
  // The state's call of the worker is answered by a process whose memory is measured.
  const called = Promise.withResolvers<unknown>()
  running.intercept('AIGenerationWorker', async (_, event) => called.resolve(event))
  const user = userOf(running, 'ann')
  const { data } = await user.generate('TASK_GENERATION', { goal: 'a goal', plan })
  const event = JSON.stringify(await called.promise)
  const environment = JSON.stringify(running.environmentOf('AIGenerationWorker'))
  const peak = await peakRssMb(worker, [event, environment])
  const { status } = await user.ended(data.processId)
  if (status !== 'COMPLETED') throw new Error(`the generation is ${status}`)
  figure('async.worker_rss_mb', peak, { atMost: 150 })
} finally {
  await rm(directory, { recursive: true })
}
