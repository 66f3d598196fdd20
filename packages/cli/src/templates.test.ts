import { globSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { main } from './index.ts'

/**
 * Templates as the tools produce or take them: those of CDK by `aws-cdk-lib` 2.276 (Chains, DefinitionBody.fromFile and
 * fromString), the others as their documentation has them.
 */
const folder = fileURLToPath(new URL('../test/templates/', import.meta.url))

async function errorsOf(file: string): Promise<readonly string[]> {
  const parts: string[] = []
  const io = { cwd: folder, colour: false, error: () => {}, interrupted: async () => {} }
  await main(['check', file, '--format', 'json'], { ...io, out: text => parts.push(text) })
  const { findings } = JSON.parse(parts.join('')) as {
    findings: { rule: string; severity: string; file: string; line: number }[]
  }
  return findings
    .filter(({ severity, rule }) => severity === 'error' || rule === 'valid/unread')
    .map(({ rule, file: place, line }) => `${place}:${line} ${rule}`)
}

/** What is to be found, in the template's own lines; in all others nothing is. */
const expected: Readonly<Record<string, readonly string[]>> = {
  'cloudformation/double-quoted.yaml': [
    'cloudformation/double-quoted.yaml:6 valid/transition',
    'cloudformation/double-quoted.yaml:6 valid/transition',
    'cloudformation/double-quoted.yaml:6 valid/unknown-field',
  ],
  'sam/definition-string.yaml': ['sam/definition-string.yaml:15 valid/unknown-field'],
  'sam/in-s3.yaml': ['sam/in-s3.yaml:7 valid/unread'],
  'sam/outside.yaml': ['sam/outside.yaml:7 valid/unread'],
  'terraform/for.asl.json': ['terraform/for.asl.json:4 valid/unread'],
  'terraform/if.asl.json': ['terraform/if.asl.json:4 valid/unread'],
  'terraform/main.tf': ['terraform/main.tf:1 valid/unread'],
  'terraform/mistake.asl.json': [
    'terraform/mistake.asl.json:4 valid/transition',
    'terraform/mistake.asl.json:5 valid/transition',
    'terraform/mistake.asl.json:5 valid/unknown-field',
  ],
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
    expect(await errorsOf(file)).toEqual(expected[file] ?? [])
  })
})
