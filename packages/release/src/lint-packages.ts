import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lintTarball } from './lint-tarball.ts'
import { packPackages } from './pack.ts'

const directory = await mkdtemp(join(tmpdir(), 'stepwright-lint-'))
try {
  for (const packed of await packPackages(directory)) {
    const { name, version } = packed.manifest
    const problems = await lintTarball(packed)
    const verdict = problems.length === 0 ? 'ok' : `${problems.length} problem(s)`
    process.stdout.write(`${name}@${version}, ${packed.files.length} files: ${verdict}\n`)
    for (const problem of problems) process.stdout.write(`  ${problem.replaceAll('\n', '\n  ')}\n`)
    if (problems.length > 0) process.exitCode = 1
  }
} finally {
  await rm(directory, { recursive: true })
}
