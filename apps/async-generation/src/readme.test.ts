import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { breakDown } from './test/readme-example.ts'

it('does what the README shows', { timeout: 60_000 }, async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
  const example = await readFile(new URL('./test/readme-example.ts', import.meta.url), 'utf8')
  expect(readme).toContain(example)
  const seen: number[] = []
  const view = await breakDown('Speak English', percent => seen.push(percent))
  expect(seen).toEqual(seen.toSorted((a, b) => a - b))
  expect(view).toMatchObject({ status: 'COMPLETED', progress: 100 })
  expect((view.result as { plan: unknown[] }).plan).toHaveLength(8)
})
