import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compare, figure, median } from '@stepwright/bench'
import { bundle } from './bundle.ts'

const directory = mkdtempSync(join(tmpdir(), 'campaign-bundle-'))

/** Imports the bundle in a new process; the start of Node itself is not counted. */
function importTime(file: string): number {
  const script = `const t=performance.now();const m=await import(${JSON.stringify(file)});if(!m.handler)throw m;console.log(performance.now()-t)`
  const env = { PATH: process.env['PATH'], AWS_REGION: 'us-east-1' }
  const run = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8', env })
  if (run.status !== 0) throw new Error(run.stderr)
  return Number(run.stdout)
}

try {
  const [ours, typical] = [await bundle('import-chunk', directory), await bundle('typical', directory)]
  console.log(`entry: ${statSync(ours).size} bytes, typical ${statSync(typical).size} bytes`)
  const times: Record<'ours' | 'typical', number[]> = { ours: [], typical: [] }
  await compare(
    'cold import of the chunk-import Lambda, process start included',
    {
      ours: () => void times.ours.push(importTime(ours)),
      typical: () => void times.typical.push(importTime(typical)),
    },
    { rounds: 21, warmups: 2 },
  )
  const medians = { ours: median(times.ours), typical: median(times.typical) }
  console.log(`  import alone: ${medians.ours.toFixed(1)} ms, typical ${medians.typical.toFixed(1)} ms`)
  figure('campaign.cold_import.vs_typical', medians.ours / medians.typical, { atMost: 0.4 })
} finally {
  rmSync(directory, { recursive: true })
}
