import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { figure, median } from '@stepwright/bench'
import { bundleFunction, bundleFunctions } from '@stepwright/synth'
import { apps } from '../src/apps.ts'

const rounds = 3
const maxKilobytes = 300
const directory = mkdtempSync(join(tmpdir(), 'stepwright-bundles-'))

/** Imports the bundle in a new process: what it costs in processor time, which other work on the machine does not change. */
function importMs(folder: string): number {
  const file = JSON.stringify(join(folder, 'index.mjs'))
  // As Lambda does before it loads a function that streams.
  const runtime = 'globalThis.awslambda={streamifyResponse:f=>f,HttpResponseStream:{from:s=>s}};'
  const script = `${runtime}const t=process.cpuUsage();await import(${file});const{user,system}=process.cpuUsage(t);console.log((user+system)/1000)`
  const env = { PATH: process.env['PATH'], AWS_REGION: 'us-east-1' }
  const run = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8', env })
  if (run.status !== 0) throw new Error(run.stderr)
  return Number(run.stdout)
}

try {
  const typical = bundleFunction(
    {
      root: join(import.meta.dirname, '../../campaign-import/bench/handlers'),
      module: 'typical.ts',
      export: 'handler',
    },
    join(directory, 'typical'),
  )
  const functions = apps.flatMap(app =>
    Object.entries(bundleFunctions(app, join(directory, app.name))).map(([name, bundle]) => ({
      name: `${app.name} ${name}`,
      ...bundle,
    })),
  )
  const times = new Map<string, number[]>([
    ['typical', []],
    ...functions.map(({ name }) => [name, []] as [string, number[]]),
  ])
  for (let round = 0; round < rounds; round += 1) {
    times.get('typical')?.push(importMs(typical.directory))
    for (const { name, directory: folder } of functions) times.get(name)?.push(importMs(folder))
  }
  const typicalMs = median(times.get('typical') ?? [])
  console.log(`typical: ${typicalMs.toFixed(1)} ms, ${Math.round(typical.startBytes / 1000)} kB`)
  for (const { name, startBytes, bytes } of functions) {
    const ms = median(times.get(name) ?? [])
    console.log(
      `${name}: ${ms.toFixed(1)} ms, ${Math.round(startBytes / 1000)} kB at once of ${Math.round(bytes / 1000)} kB`,
    )
  }
  const largest = Math.max(...functions.map(({ startBytes }) => startBytes)) / 1000
  figure('deploy.bundle.worst_kb', Math.round(largest), { atMost: maxKilobytes })
  const worst = Math.max(...functions.map(({ name }) => median(times.get(name) ?? [])))
  figure('deploy.cold_import.worst.vs_typical', worst / typicalMs, { atMost: 0.4 })
} finally {
  rmSync(directory, { recursive: true, force: true })
}
