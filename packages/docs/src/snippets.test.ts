import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { codeBlocksOf } from './markdown.ts'
import { readPages } from './pages.ts'
import { repositoryRoot as root } from './repository.ts'
import { readSnippets } from './snippets.ts'

const pages = readPages(root)
const snippets = readSnippets(pages, root)

/** Pages whose code another test takes from the page itself and runs. */
const runFromThePage: Readonly<Record<string, string>> = {
  'docs/tutorial.md': 'packages/docs/test/tutorial.test.ts',
  'packages/asl/README.md': 'packages/asl/src/readme.test.ts',
  'packages/asl-engine/README.md': 'packages/asl-engine/src/readme.test.ts',
  'packages/local-dynamodb/README.md': 'packages/local-cloud/src/readme.test.ts',
  'packages/local-eventbridge/README.md': 'packages/local-cloud/src/readme.test.ts',
  'packages/local-postgres/README.md': 'packages/local-cloud/src/readme.test.ts',
  'packages/local-s3/README.md': 'packages/local-cloud/src/readme.test.ts',
  'packages/local-sns/README.md': 'packages/local-cloud/src/readme.test.ts',
  'packages/local-sqs/README.md': 'packages/local-cloud/src/readme.test.ts',
  'packages/local-step-functions/README.md': 'packages/local-cloud/src/readme.test.ts',
}

/** Pages with code that cannot be compiled here, and why. */
const notCompiled: Readonly<Record<string, string>> = {
  'docs/deploying.md': 'the settings of SST, which is no dependency and brings globals of its own',
  'packages/asl/docs/rules/flow-unreadable-schema.md':
    'it leaves out what does not matter, and @valibot/to-json-schema is no dependency',
}

function pageOf(place: string): string {
  return place.replace(/:\d+$/, '')
}

describe('the TypeScript in the documents', () => {
  it('is found', () => {
    expect(snippets.length).toBeGreaterThan(60)
  })

  it('is part of a source, which is compiled and tested', () => {
    const loose = snippets.filter(({ sources }) => sources.length === 0).map(({ place }) => place)
    const unexplained = loose.filter(place => {
      const page = pageOf(place)
      return !(page in notCompiled) && !(page in runFromThePage)
    })
    expect(unexplained).toEqual([])
  })

  it('has one block at most on a page that is not a part of a source', () => {
    const loose = snippets.filter(({ sources }) => sources.length === 0).map(({ place }) => pageOf(place))
    const rest = loose.filter(page => !(page in notCompiled))
    expect(new Set(rest).size).toBe(rest.length)
    expect([...Object.keys(notCompiled), ...Object.keys(runFromThePage)].sort()).toEqual(
      [...new Set(loose)].sort(),
    )
    for (const test of Object.values(runFromThePage)) expect(existsSync(join(root, test)), test).toBe(true)
  })
})

describe('the data in the documents', () => {
  const blocks = pages.flatMap(({ source, markdown }) =>
    codeBlocksOf(markdown).map(block => ({ ...block, place: `${source}:${block.line}` })),
  )

  it('is JSON where it says so', () => {
    for (const { code, place } of blocks.filter(({ language }) => language === 'json'))
      expect(() => JSON.parse(/^\s*[[{]/.test(code) ? code : `{${code}}`), place).not.toThrow()
  })

  it('is YAML where it says so', () => {
    for (const { code, place } of blocks.filter(({ language }) => language === 'yaml'))
      expect(() => parse(code), place).not.toThrow()
  })
})
