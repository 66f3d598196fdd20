import { globSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { markdownTable } from '@stepwright/bench'
import { describe, expect, it } from 'vitest'
import { main } from './index.ts'

/**
 * Templates as the tools produce or take them: those of CDK by `aws-cdk-lib` 2.276 (Chains, DefinitionBody.fromFile and
 * fromString), the others as their documentation has them.
 */
const folder = fileURLToPath(new URL('../test/templates/', import.meta.url))

async function findingsOf(file: string): Promise<readonly string[]> {
  const parts: string[] = []
  const io = { cwd: folder, colour: false, error: () => {}, interrupted: async () => {} }
  await main(['check', file, '--format', 'json'], { ...io, out: text => parts.push(text) })
  const { findings } = JSON.parse(parts.join('')) as {
    findings: { rule: string; severity: string; file: string; line: number }[]
  }
  return findings.map(({ rule, file: place, line }) => `${place}:${line} ${rule}`)
}

/** What is to be found, in the template's own lines, each read and right; in all others nothing is. */
const expected: Readonly<Record<string, readonly string[]>> = {
  // the Map keeps the results of all items in the payload
  'cdk/Import.template.json': ['cdk/Import.template.json:173 limits/map-results'],
  // what CDK retries of Lambda by itself leaves throttling out
  'cdk/Order.template.json': ['cdk/Order.template.json:208 routes/lambda-transient'],
  'cloudformation/double-quoted.yaml': ['cloudformation/double-quoted.yaml:6 valid/unknown-field'],
  'sam/definition-string.yaml': ['sam/definition-string.yaml:15 valid/unknown-field'],
  'sam/in-s3.yaml': ['sam/in-s3.yaml:7 valid/unread'],
  'sam/outside.yaml': ['sam/outside.yaml:7 valid/unread'],
  'terraform/for.asl.json': ['terraform/for.asl.json:4 valid/unread'],
  'terraform/if.asl.json': ['terraform/if.asl.json:4 valid/unread'],
  'terraform/main.tf': ['terraform/main.tf:1 valid/unread'],
  'terraform/mistake.asl.json': ['terraform/mistake.asl.json:5 valid/unknown-field'],
  'serverless/elsewhere.yml': ['serverless/elsewhere.yml:7 valid/unread'],
  'serverless/express.yml': ['serverless/express.yml:15 valid/express'],
}

const templates = [
  ...globSync('{cdk,cloudformation}/*.{template.json,json,yaml}', { cwd: folder }),
  ...globSync('sam/*.yaml', { cwd: folder }),
  ...globSync('terraform/*.{asl.json,tf}', { cwd: folder }),
  ...globSync('serverless/*.yml', { cwd: folder }),
]
  .filter(file => !/asset\.|\.asl\.yml$/.test(file))
  .sort()

describe('templates as tools produce them', () => {
  it('are at least thirty', () => {
    expect(readdirSync(folder).sort()).toEqual(['cdk', 'cloudformation', 'sam', 'serverless', 'terraform'])
    expect(templates.length).toBeGreaterThanOrEqual(30)
  })

  it.each(templates)('%s', async file => {
    expect(await findingsOf(file)).toEqual(expected[file] ?? [])
  })

  it('are counted by rule in the documentation', async () => {
    const counts = new Map<string, number>()
    for (const finding of Object.values(expected).flat()) {
      const rule = finding.split(' ')[1] as string
      counts.set(rule, (counts.get(rule) ?? 0) + 1)
    }
    const rows = [...counts]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([rule, count]) => [rule, count, count, 0])
    const page = [
      '# How often the rules are right on templates',
      '',
      `The ${templates.length} templates in \`packages/cli/test/templates\` are as CDK, SAM, CloudFormation, Terraform and the Serverless Framework produce or take them. All that \`stepwright check\` finds in them was read: the test of the templates holds the list, writes this page, and fails at any finding that is not in the list. For the rules of the data flow there are many more: see [random machines](precision.md).`,
      '',
      markdownTable(['rule', 'findings', 'right', 'wrong'], rows),
      '',
    ].join('\n')
    await expect(page).toMatchFileSnapshot('../../../docs/rules/precision-templates.md')
  })
})
