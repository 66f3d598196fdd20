import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { again, first } from './test/readme-example.ts'

it('shows an example in the README that runs', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
  const example = await readFile(new URL('./test/readme-example.ts', import.meta.url), 'utf8')
  expect(readme).toContain(`\`\`\`ts\n${example}\`\`\``)
  expect([first, again]).toEqual(Array(2).fill({ receipt: '4980 paid, receipt 1' }))
})
