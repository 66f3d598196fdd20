import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { showGoal } from './test/readme-example.ts'

it('does what the README shows', { timeout: 60_000 }, async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
  const example = await readFile(new URL('./test/readme-example.ts', import.meta.url), 'utf8')
  expect(readme).toContain(example)
  const lines: string[] = []
  const view = await showGoal('Speak English', line => lines.push(line))
  expect(lines).toHaveLength(8)
  expect(lines).toContainEqual(expect.stringMatching(/^\d+ % {2}Look into Speak English: habits, …$/))
  expect(view).toMatchObject({ status: 'COMPLETED', progress: 100 })
  expect((view.result as { plan: unknown[] }).plan).toHaveLength(8)
})
