import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { countByPrefecture } from './readme-example.ts'

it('shows an example in the README that runs', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
  const example = await readFile(new URL('./readme-example.ts', import.meta.url), 'utf8')
  expect(readme).toContain(`\`\`\`ts\n${example}\`\`\``)
  const directory = await mkdtemp(join(tmpdir(), 'csv-readme-'))
  try {
    const path = join(directory, 'recipients.csv')
    await writeFile(path, `email,prefecture\n${'a@x,13\nb@x,"27"\n'.repeat(6000)}`)
    expect(Object.fromEntries(await countByPrefecture(path))).toEqual({ 13: 6000, 27: 6000 })
  } finally {
    await rm(directory, { recursive: true })
  }
})
