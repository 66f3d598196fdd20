import { readFileSync } from 'node:fs'
import { resolveSubstitutions } from '@stepwright/app'
import { substitute } from '@stepwright/asl/expressions'
import { deployedPlaces } from '@stepwright/policy'
import { planDeployment, toCloudFormation, toTerraform, workflowId } from '@stepwright/synth'
import { describe, expect, it } from 'vitest'
import { apps } from '../src/apps.ts'

interface Module {
  readonly resource: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>>
}

/** The tests of synth have it: no package exports it. */
const problems = new URL('../../../packages/synth/test/terraform-problems.ts', import.meta.url).href
const { terraformProblems } = (await import(problems)) as {
  readonly terraformProblems: (module: object) => readonly string[]
}

function moduleOf(app: (typeof apps)[number], options: object = {}): Module {
  const deployment = planDeployment(app, { stage: 'prod', ...options })
  const scripts = Object.fromEntries(
    Object.keys(deployment.names.glueJobs).map(name => [
      name,
      { key: `${name}.py`, path: `code/${name}.py` },
    ]),
  )
  return toTerraform(
    deployment,
    toCloudFormation(deployment, () => ({})),
    {},
    scripts,
  ) as Module
}

describe('a module of Terraform', () => {
  it.each(apps)(
    'has for $name what the provider knows, all that it asks for, and no reference to nothing',
    app => {
      for (const options of [
        {},
        { keepData: false, alias: { name: 'live' } },
        { database: 'existing', inVpc: true },
      ])
        expect(terraformProblems(moduleOf(app, options))).toEqual([])
    },
  )

  it.each(apps)('has a resource for each of the template of $name', app => {
    const { Resources } = toCloudFormation(planDeployment(app, { stage: 'prod' }), () => ({}))
    const named = new Set(Object.values(moduleOf(app).resource).flatMap(byName => Object.keys(byName)))
    expect(Object.keys(Resources).filter(id => !named.has(id))).toEqual([])
  })

  it.each(apps)('runs the definitions of $name that were tested', app => {
    const { resource } = moduleOf(app)
    for (const [name, { definition }] of Object.entries(app.workflows ?? {})) {
      const tested = substitute(
        readFileSync(new URL(definition, app.root), 'utf8'),
        resolveSubstitutions(app, name, deployedPlaces(app, { stage: 'prod' })),
      )
      const deployed = String(resource['aws_sfn_state_machine']?.[workflowId(name)]?.['definition'])
      expect(inTerms(deployed)).toBe(inTerms(tested))
      expect(() => JSON.parse(deployed)).not.toThrow()
    }
  })
})

/** Both tools' ways to write where something is. */
function inTerms(text: string): string {
  return text
    .replaceAll(/\$\{AWS::AccountId\}|\$\{data\.aws_caller_identity\.current\.account_id\}/g, '<account>')
    .replaceAll(/\$\{AWS::Partition\}|\$\{data\.aws_partition\.current\.partition\}/g, '<partition>')
    .replaceAll(/\$\{AWS::Region\}|\$\{data\.aws_region\.current\.region\}/g, '<region>')
}
