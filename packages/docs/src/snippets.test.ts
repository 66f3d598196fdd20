import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { checkWorkflow } from '@stepwright/asl'
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

describe('the packages that the documents name', () => {
  it('exist, with the entry points that are named', () => {
    const manifests = globSync('{packages,apps}/*/package.json', { cwd: root }).map(path =>
      JSON.parse(readFileSync(join(root, path), 'utf8')),
    )
    const entries = new Set(
      manifests.flatMap(({ name, exports = {} }) => [
        name,
        ...Object.keys(exports).map(subpath => posix.join(name, subpath)),
      ]),
    )
    const named = pages.flatMap(({ source, markdown }) =>
      [...markdown.matchAll(/@stepwright\/[a-z0-9-]+(?:\/[a-z0-9-]+)*/g)].map(([entry]) => ({
        source,
        entry,
      })),
    )
    expect(named.filter(({ entry }) => !entries.has(entry))).toEqual([])
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

  it('is a state machine that Step Functions takes, where it looks like one', () => {
    const machines = blocks.filter(
      ({ language, meta, code }) => language === 'json' && meta === '' && /"StartAt"/.test(code),
    )
    expect(machines.length).toBeGreaterThan(0)
    for (const { code, place } of machines) {
      const refused = checkWorkflow(JSON.parse(code)).filter(({ rule }) => rule.startsWith('valid/'))
      expect(refused, place).toEqual([])
    }
  })

  it('is YAML where it says so', () => {
    for (const { code, place } of blocks.filter(({ language }) => language === 'yaml'))
      expect(() => parse(code), place).not.toThrow()
  })
})
