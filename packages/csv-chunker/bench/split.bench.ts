import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compare, figure } from '@stepwright/bench'
import { createFileSource, splitToManifest, splitToObjects } from '../src/index.ts'
import { createDirectoryWriter } from './directory-writer.ts'
import { narrowFile, quotedFile } from './files.ts'

const narrow = await narrowFile()
const quoted = await quotedFile()

/** `wc -l` counts lines, we records: for files with quoted newlines they differ, so each is checked alone. */
async function versusWc(title: string, path: string, rounds: number): Promise<number> {
  const expected = { lines: 0, rows: 0 }
  const same = (name: keyof typeof expected, count: number): string => {
    expected[name] ||= count
    if (expected[name] !== count) throw new Error(`${title}: ${count} ${name} instead of ${expected[name]}`)
    return 'the same as before'
  }
  const split = async (digest: 'none' | 'sha-256'): Promise<string> =>
    same('rows', (await splitToManifest(createFileSource(path), { digest })).rowCount)
  const times = await compare(
    title,
    {
      ours: () => split('none'),
      wc: () => same('lines', Number.parseInt(execFileSync('wc', ['-l', path], { encoding: 'utf8' }), 10)),
    },
    { rounds },
  )
  const start = performance.now()
  await split('sha-256')
  console.log(`  with SHA-256 of every chunk: ${(performance.now() - start).toFixed(0)} ms`)
  return times.wc.medianMs / times.ours.medianMs
}

figure('csv.split.narrow.vs_wc', await versusWc('split to a manifest: 5,000,000 narrow rows', narrow, 15), {
  atLeast: 0.8,
})
figure('csv.split.quoted.vs_wc', await versusWc('split to a manifest: 1 GB quoted', quoted, 7), {
  atLeast: 0.5,
})

let directory = ''
const times = await compare(
  'split into chunk files of 5,000 rows: 5,000,000 narrow rows',
  {
    async ours() {
      const target = createDirectoryWriter(directory)
      const { chunks } = await splitToObjects(createFileSource(narrow), target, {
        id: 'bench',
        digest: 'none',
      })
      return chunks.length
    },
    gnuSplit() {
      execFileSync('split', ['-l', '5000', '-a', '4', narrow, join(directory, 'chunk_')])
      return 1000
    },
  },
  {
    rounds: 5,
    before() {
      if (directory) rmSync(directory, { recursive: true })
      directory = mkdtempSync(join(tmpdir(), 'csv-split-'))
    },
  },
)
rmSync(directory, { recursive: true })
figure('csv.split.files.vs_split', times.gnuSplit.medianMs / times.ours.medianMs, { atLeast: 1 })
