import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { checkWorkflow, parseDefinition, type RuleId, rules } from './index.ts'

const folder = new URL('../docs/rules/', import.meta.url)
const pages = readdirSync(folder).filter(name => name !== 'README.md')

function readPage(rule: string) {
  const text = readFileSync(new URL(`${rule.replace('/', '-')}.md`, folder), 'utf8')
  const block = (name: string): string | undefined =>
    new RegExp(`\`\`\`jsonc? ${name}\n([\\s\\S]*?)\`\`\``).exec(text)?.[1]
  const json = (name: string) => JSON.parse(block(name) ?? 'null')
  const options = {
    tasks: json('tasks') ?? [],
    ...(json('input') && { input: json('input') }),
    ...(/type EXPRESS/.test(text) && { type: 'EXPRESS' as const }),
  }
  const check = (name: 'bad' | 'good') =>
    checkWorkflow(parseDefinition(block(name) ?? '', { file: 'example.asl.jsonc' }), options)
  return { text, bad: block('bad') ?? '', check }
}

/** Rules of apps are about more than a definition: `checkApp` has its own tests. */
const withExamples = (Object.keys(rules) as RuleId[]).filter(
  rule => rule !== 'valid/size' && rule !== 'flow/unreadable-schema' && !rule.startsWith('app/'),
)

describe('the pages of the rules', () => {
  it('has one for every rule, with its severity and title', () => {
    expect(pages.sort()).toEqual(
      Object.keys(rules)
        .map(rule => `${rule.replace('/', '-')}.md`)
        .sort(),
    )
    for (const [rule, { severity, title }] of Object.entries(rules)) {
      expect(readPage(rule).text.startsWith(`# ${rule}\n\n**${severity}**: ${title}.\n`), rule).toBe(true)
    }
  })

  it.each(withExamples)('%s: the bad example is reported on the marked line', rule => {
    const { bad, check } = readPage(rule)
    const marked = bad.split('\n').findIndex(line => line.includes('// ↓ here')) + 2
    const lines = check('bad')
      .filter(finding => finding.rule === rule)
      .map(finding => finding.line)
    expect(marked).toBeGreaterThan(1)
    expect(new Set(lines)).toEqual(new Set([marked]))
  })

  it.each(withExamples)('%s: the good example is not reported, and is valid', rule => {
    const found = readPage(rule).check('good')
    expect(found.filter(finding => finding.rule === rule || finding.rule.startsWith('valid/'))).toEqual([])
  })

  it.each([
    ['README.md', ''],
    ['../../../../docs/rules/README.md', '../../packages/asl/docs/rules/'],
  ])('lists every rule in %s', (index, path) => {
    const text = readFileSync(new URL(index, folder), 'utf8')
    for (const rule of Object.keys(rules))
      expect(text).toContain(`[${rule}](${path}${rule.replace('/', '-')}.md)`)
  })
})

describe('valid/size', () => {
  it('reports a definition of more than a mebibyte', () => {
    const definition = {
      StartAt: 'A',
      TimeoutSeconds: 1,
      States: { A: { Type: 'Pass', Result: 'x'.repeat(1_048_576), End: true } },
    }
    expect(checkWorkflow(definition).map(finding => finding.rule)).toEqual(['valid/size'])
  })
})
