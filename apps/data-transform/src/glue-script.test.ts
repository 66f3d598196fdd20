import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createMemoryWorld, day } from './test/memory-world.ts'

const script = join(import.meta.dirname, '../glue/transform.py')
const text = readFileSync(script, 'utf8')
const hasPython = spawnSync('python3', ['--version']).status === 0

describe('the script of the Glue job', () => {
  it.skipIf(!hasPython)('is Python (skipped where there is no python3 to compile it)', () => {
    const directory = mkdtempSync(join(tmpdir(), 'glue-script-'))
    try {
      const target = join(directory, 'transform.pyc')
      const compile = `import py_compile, sys; py_compile.compile(sys.argv[1], sys.argv[2], doraise=True)`
      execFileSync('python3', ['-c', compile, script, target])
    } finally {
      rmSync(directory, { recursive: true })
    }
  })

  it('is thin', () => {
    expect(text.split('\n').length).toBeLessThan(150)
  })

  it('asks for no argument that Preflight does not give', async () => {
    const world = createMemoryWorld()
    await world.ports.raw.put('shop/orders/ds=2025-09-07/a.csv', 'id\n1\n')
    const run = await world.run(day)
    const { Arguments } = Object(run.calls.find(({ state }) => state === 'RunGlueJob')?.input)
    const [, list = ''] = /sys\.argv,\s*\[(.*?)\]/s.exec(text) ?? []
    const asked = [...list.matchAll(/"(\w+)"/g)].map(([, name]) => `--${name}`)
    expect(asked.length).toBeGreaterThan(4)
    expect(Object.keys(Arguments)).toEqual(expect.arrayContaining(asked))
  })

  it('reads and writes the fields of the job file and the result, by their names', () => {
    const read = [
      'rawBucket',
      'sources',
      'fileType',
      'delimiter',
      'types',
      'schema',
      'deduplicate',
      'metrics',
    ]
    for (const name of read) expect(text).toContain(`job["${name}"]`)
    for (const name of ['rowCount', 'columns', 'figures', 'learned', 'files'])
      expect(text).toContain(`"${name}"`)
  })
})
