import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { figure, median } from '@stepwright/bench'
import { bundleFunction, bundleFunctions } from '@stepwright/synth'
import { apps } from '../src/apps.ts'

const rounds = 3
/** The slowest are looked at more closely: of 48 medians of three, the largest is mostly chance. */
const closerRounds = 11
const closer = 5
const maxKilobytes = 300
const directory = mkdtempSync(join(tmpdir(), 'stepwright-bundles-'))

interface Times {
  readonly wallMs: number[]
  readonly processorMs: number[]
}

/** Imports the bundle in a new process, and notes how long that took and what it cost. */
function importOnce(folder: string, { wallMs, processorMs }: Times): void {
  const file = JSON.stringify(join(folder, 'index.mjs'))
  // As Lambda does before it loads a function that streams.
  const runtime = 'globalThis.awslambda={streamifyResponse:f=>f,HttpResponseStream:{from:s=>s}};'
  const script = `${runtime}const c=process.cpuUsage(),t=performance.now();await import(${file});const w=performance.now()-t,{user,system}=process.cpuUsage(c);console.log(JSON.stringify([w,(user+system)/1000]))`
  const env = { PATH: process.env['PATH'], AWS_REGION: 'us-east-1' }
  const run = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8', env })
  if (run.status !== 0) throw new Error(run.stderr)
  const [wall, processor] = JSON.parse(run.stdout) as [number, number]
  wallMs.push(wall)
  processorMs.push(processor)
}

function noTimes(): Times {
  return { wallMs: [], processorMs: [] }
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
      times: noTimes(),
      ...bundle,
    })),
  )
  for (let round = 0; round < rounds; round += 1)
    for (const { directory: folder, times } of functions) importOnce(folder, times)
  const slowest = functions
    .toSorted((one, other) => median(other.times.wallMs) - median(one.times.wallMs))
    .slice(0, closer)
  const alone = noTimes()
  const compared = slowest.map(each => ({ ...each, times: noTimes() }))
  for (let round = 0; round < closerRounds; round += 1)
    for (const { directory: folder, times } of compared) {
      importOnce(typical.directory, alone)
      importOnce(folder, times)
    }
  for (const { name, times, startBytes, bytes } of functions)
    console.log(
      `${name}: ${median(times.wallMs).toFixed(1)} ms, ${Math.round(startBytes / 1000)} kB at once of ${Math.round(bytes / 1000)} kB`,
    )
  console.log(`typical: ${median(alone.wallMs).toFixed(1)} ms, ${Math.round(typical.startBytes / 1000)} kB`)
  const largest = Math.max(...functions.map(({ startBytes }) => startBytes)) / 1000
  figure('deploy.bundle.worst_kb', Math.round(largest), { atMost: maxKilobytes })
  const worstOf = (kind: keyof Times): number =>
    Math.max(...compared.map(({ times }) => median(times[kind]))) / median(alone[kind])
  figure('deploy.cold_import.worst.vs_typical', worstOf('wallMs'), { atMost: 0.4 })
  // Other work on the machine does not change this one.
  figure('deploy.cold_import.worst.vs_typical.processor', worstOf('processorMs'), { atMost: 0.4 })
} finally {
  rmSync(directory, { recursive: true, force: true })
}
