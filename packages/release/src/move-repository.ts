import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runCommand } from './command.ts'
import type { Manifest } from './manifest.ts'
import { moveLinks, repositoryUrl } from './places.ts'

const to = process.argv[2] ?? ''
if (!/^https:\/\/[\w.-]+\/[\w.-]+\/[\w-]+$/.test(to)) {
  process.stderr.write('pnpm --filter @stepwright/release move-repository https://HOST/OWNER/NAME\n')
  process.exit(2)
}
const workspace = join(import.meta.dirname, '../../..')
const from = repositoryUrl(JSON.parse(await readFile(join(workspace, 'package.json'), 'utf8')) as Manifest)
const { stdout } = await runCommand('git', ['ls-files', '-z', '--', '*.json', '*.md', '*.y*ml'], {
  cwd: workspace,
})
for (const file of stdout.split('\0').filter(name => name !== '')) {
  const before = await readFile(join(workspace, file), 'utf8')
  const after = moveLinks(before, from, to)
  if (after === before) continue
  await writeFile(join(workspace, file), after)
  process.stdout.write(`${file}\n`)
}
