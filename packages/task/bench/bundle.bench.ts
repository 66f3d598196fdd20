import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compare, figure, median } from '@stepwright/bench'
import { bundleHandler } from '../test/bundle-handler.ts'

const directory = mkdtempSync(join(tmpdir(), 'stepwright-bundle-'))

function bundle(name: string): Promise<string> {
  return bundleHandler(`bench/handlers/${name}.ts`, join(directory, `${name}.mjs`))
}

/** Imports the bundle in a new process; the start of Node itself is not counted. */
function importTime(file: string): number {
  const script = `const t=performance.now();await import(${JSON.stringify(file)});console.log(performance.now()-t)`
  const run = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
  if (run.status !== 0) throw new Error(run.stderr)
  return Number(run.stdout)
}

try {
  const [task, handwritten] = [await bundle('with-task'), await bundle('handwritten')]
  const bytes = { task: statSync(task).size, handwritten: statSync(handwritten).size }
  console.log(`bundle: ${bytes.task} bytes, handwritten ${bytes.handwritten} bytes`)
  figure('task.bundle.vs_handwritten', bytes.task / bytes.handwritten, { atMost: 1.15 })

  const times: Record<'task' | 'handwritten', number[]> = { task: [], handwritten: [] }
  await compare(
    'cold import, process start included',
    {
      task: () => void times.task.push(importTime(task)),
      handwritten: () => void times.handwritten.push(importTime(handwritten)),
    },
    { rounds: 41, warmups: 2 },
  )
  const medians = { task: median(times.task), handwritten: median(times.handwritten) }
  console.log(
    `  import alone: ${medians.task.toFixed(1)} ms, handwritten ${medians.handwritten.toFixed(1)} ms`,
  )
  figure('task.cold_import.vs_handwritten', medians.task / medians.handwritten, { atMost: 1.05 })
} finally {
  rmSync(directory, { recursive: true })
}
