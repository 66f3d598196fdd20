import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../../..')
const readmes = globSync(['README.md', '{packages,apps}/*/README.md', 'docs/*.md'], { cwd: root })

const examples = readmes.flatMap(readme => {
  const text = readFileSync(join(root, readme), 'utf8')
  return [...text.matchAll(/```ts\n\/\/ (\S*example\.test\.ts)\n(.*?)```/gs)].map(
    ([, file = '', code = '']) => ({
      readme,
      file: join(dirname(readme), file),
      code,
    }),
  )
})

describe('the examples in the docs', () => {
  it.each(examples)('$readme shows $file, which is run as a test', ({ file, code }) => {
    expect(code).toBe(readFileSync(join(root, file), 'utf8'))
  })

  it('include the one of the front page', () => {
    expect(examples.map(({ readme }) => readme)).toContain('README.md')
  })
})
