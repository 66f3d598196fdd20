import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { root } from './generated.ts'
import { type PublicName, readPublicNames } from './public-names.ts'

const scratch = mkdtempSync(join(tmpdir(), 'public-names-'))
afterAll(() => rmSync(scratch, { recursive: true }))

/** Names that stand for two things, each with where it is exported and declared. */
function ambiguous(names: readonly PublicName[]): readonly string[] {
  return [...Map.groupBy(names, ({ name }) => name)]
    .filter(([, same]) => new Set(same.map(({ declaration }) => declaration)).size > 1)
    .map(([name, same]) => `${name}: ${same.map(each => `${each.entry} (${each.declaration})`).join(', ')}`)
}

describe('the public names', () => {
  const names = readPublicNames(root)

  it('are found, types and values', () => {
    const found = names.map(({ name, entry, declaration }) => [name, entry, declaration])
    expect(found).toEqual(
      expect.arrayContaining([
        ['defineTask', '@stepwright/task', 'packages/task/src/define-task.ts#defineTask'],
        ['JsonSchema', '@stepwright/task', 'packages/task/src/describe-task.ts#JsonSchema'],
        ['Redact', '@stepwright/task/lambda', 'packages/task/src/failure-log.ts#Redact'],
      ]),
    )
  })

  it('have one meaning each, in all packages together', () => {
    expect(ambiguous(names)).toEqual([])
  })
})

describe('readPublicNames', () => {
  const files = {
    'packages/a/package.json': JSON.stringify({ name: '@x/a', exports: { '.': './src/index.ts' } }),
    'packages/a/src/index.ts': "export { type Chunk, split as cut } from './chunk.ts'\n",
    'packages/a/src/chunk.ts': 'export interface Chunk {}\nexport function split(): void {}\n',
    'packages/b/package.json': JSON.stringify({
      name: '@x/b',
      exports: { '.': './src/index.ts', './more': './src/more.ts' },
    }),
    'packages/b/src/index.ts': "import { cut } from '@x/a'\nexport { cut }\nexport type Chunk = string\n",
    'packages/b/src/more.ts': "export type { Chunk } from '@x/a'\n",
    'packages/c/package.json': JSON.stringify({ name: '@x/c', private: true, exports: { '.': './c.ts' } }),
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(scratch, dirname(path)), { recursive: true })
    writeFileSync(join(scratch, path), text)
  }

  it('follows a name to its declaration, so that one passed on is the same and one declared anew is not', () => {
    const chunk = 'packages/a/src/chunk.ts#Chunk'
    expect(ambiguous(readPublicNames(scratch))).toEqual([
      `Chunk: @x/a (${chunk}), @x/b (packages/b/src/index.ts#Chunk), @x/b/more (${chunk})`,
    ])
  })
})
