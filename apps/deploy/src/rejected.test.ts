import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CelEngine, TemplateFile } from '@aws/cloudformation-validate'
import { type App, type AppDeclaration, defineApp } from '@stepwright/app'
import { lambda } from '@stepwright/app/functions'
import { planDeployment, toCloudFormation } from '@stepwright/synth'
import { defineTask } from '@stepwright/task'
import { afterAll, describe, expect, it } from 'vitest'
import * as z from 'zod'

const engine = new CelEngine()
const folder = mkdtempSync(join(tmpdir(), 'stepwright-rejected-'))
afterAll(() => {
  engine.free()
  rmSync(folder, { recursive: true, force: true })
})

const shape = { name: 'work', input: z.object({}), output: z.object({}), errors: [], run: () => ({}) }
const task = defineTask(shape)
const long = defineTask({ ...shape, description: 'x'.repeat(257) })
const root = new URL('.', import.meta.url)

interface Declared {
  readonly task?: typeof task
  readonly variables?: Readonly<Record<string, string>>
  readonly schedule?: string
}

function declare({ task: run = task, variables = {}, schedule }: Declared): AppDeclaration {
  const Work = lambda(run, {}, { variables })
  const triggers = schedule !== undefined && { Nightly: { schedule: schedule as 'rate(1 day)', calls: Work } }
  return { name: 'shop', root, functions: { Work }, ...(triggers && { triggers }) }
}

/** The same as plain data, which nobody has checked. */
function unchecked({ task: run = task, variables = {}, schedule }: Declared): App {
  const valid = defineApp(declare({ schedule: 'rate(1 day)' }))
  const work = valid.functions['Work']
  if (work === undefined) throw new Error('no function')
  return {
    ...valid,
    functions: { Work: { ...work, task: run, environment: variables } },
    triggers: { Nightly: { schedule: (schedule ?? 'rate(1 day)') as 'rate(1 day)', calls: 'Work' } },
  }
}

/** What AWS's schemas and rules say about the template. */
function rulesBrokenBy(app: App): readonly string[] {
  const file = join(folder, 'x.template.json')
  const code = () => ({ S3Bucket: 'bucket', S3Key: 'key' })
  const template = toCloudFormation(planDeployment(app), code)
  // The check takes the default, no topic, where a condition rules it out.
  const AlarmTopicArn = { Type: 'String' }
  writeFileSync(file, JSON.stringify({ ...template, Parameters: { ...template.Parameters, AlarmTopicArn } }))
  const { diagnostics } = engine.validateStandard(new TemplateFile(file), { severityLevel: 'ERROR' })
  return diagnostics.map(({ ruleId, message }) => `${ruleId}: ${message}`)
}

describe('what defineApp rejects', () => {
  it.each<[string, Declared, string]>([
    ['rate(1 minutes)', { schedule: 'rate(1 minutes)' }, 'E3027'],
    ['a cron with two days', { schedule: 'cron(0 3 * * * *)' }, 'E3027'],
    ['a reserved variable', { variables: { AWS_REGION: 'eu-west-1' } }, 'E3663'],
    ['a long description', { task: long }, 'F3033: length 257 exceeds maximum 256'],
  ])('is what the template check rejects: %s', (_what, declared, rule) => {
    expect(() => defineApp(declare(declared))).toThrow(TypeError)
    expect(rulesBrokenBy(unchecked(declared))).toContainEqual(expect.stringContaining(rule))
  })

  it('leaves nothing for the template check to reject, a literal placeholder included', () => {
    const declared = { schedule: 'rate(1 minute)', variables: { GREETING: `Dear \${name}` } }
    expect(() => defineApp(declare(declared))).not.toThrow()
    expect(rulesBrokenBy(unchecked(declared))).toEqual([])
  })
})
