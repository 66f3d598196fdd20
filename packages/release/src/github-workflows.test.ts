import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { readRecipe } from './recipe.ts'

const workspace = join(import.meta.dirname, '../../..')

function read(path: string): string {
  return readFileSync(join(workspace, path), 'utf8')
}

interface Step {
  readonly uses?: string
  readonly run?: string
  readonly env?: Readonly<Record<string, string>>
  readonly with?: Readonly<Record<string, unknown>>
}
interface Job {
  readonly uses?: string
  readonly steps?: readonly Step[]
  readonly permissions?: Readonly<Record<string, string>>
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly unknown[]>> }
  readonly 'timeout-minutes'?: number
}
interface Workflow {
  readonly name: string
  readonly on: string | Readonly<Record<string, unknown>>
  readonly permissions: Readonly<Record<string, string>>
  readonly jobs: Readonly<Record<string, Job>>
}

const workflows = globSync('.github/workflows/*.yml', { cwd: workspace }).toSorted()
const files = [...workflows, '.github/actions/check/action.yml']

function workflow(file: string): Workflow {
  return parse(read(file)) as Workflow
}

function runsOf(job: Job | undefined): string[] {
  return (job?.steps ?? []).flatMap(({ run }) => (run === undefined ? [] : [run]))
}

describe.each(files)('%s', file => {
  it('names the actions of others by their commits, with the version beside', () => {
    const foreign = [...read(file).matchAll(/uses: (.+)/g)].map(([, name]) => name).filter(isForeign)
    for (const name of foreign) expect(name).toMatch(/^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
  })

  it('puts no text from outside into a script, but into variables', () => {
    for (const [, script] of read(file).matchAll(/run: (\|\n(?: {8,}.*\n|\n)+|.+)/g)) {
      expect(script).not.toContain('${{')
    }
  })
})

function isForeign(name: string | undefined): boolean {
  return name?.startsWith('./') === false
}

describe('the actions of others', () => {
  it('have one version in all files', () => {
    const versions = new Map<string, Set<string>>()
    for (const [, name = '', commit = ''] of files
      .map(read)
      .join('\n')
      .matchAll(/uses: ([\w./-]+)@([0-9a-f]+)/g)) {
      versions.set(name, (versions.get(name) ?? new Set()).add(commit))
    }
    expect([...versions].filter(([, commits]) => commits.size > 1)).toEqual([])
    expect(versions.size).toBeGreaterThan(3)
  })
})

describe.each(workflows)('%s', file => {
  const { permissions, jobs, on } = workflow(file)

  it('may do no more than read, but in jobs that say so', () => {
    expect(Object.entries(permissions).filter(([, access]) => access !== 'read')).toEqual([])
  })

  it('does not run what strangers propose with our rights', () => {
    expect(JSON.stringify(on)).not.toMatch(/pull_request_target|workflow_run/)
  })

  it('does not run for ever', () => {
    for (const job of Object.values(jobs)) expect(job.uses ?? job['timeout-minutes']).toBeDefined()
  })
})

describe('the workflow of CI', () => {
  const { jobs } = workflow('.github/workflows/ci.yml')

  it('does what CI does anywhere, begun by the oldest and by the own Node', () => {
    expect(runsOf(jobs['check'])).toEqual(['.ci/run'])
    expect(jobs['check']?.strategy?.matrix).toEqual({ node: [20, 24] })
  })

  it('leaves no credentials to the tests', () => {
    for (const { steps = [] } of Object.values(jobs)) {
      const checkout = steps.find(({ uses }) => uses?.startsWith('actions/checkout@'))
      expect(checkout?.with?.['persist-credentials']).toBe(false)
    }
  })
})

describe('the workflow of the documents', () => {
  const { jobs } = workflow('.github/workflows/docs.yml')

  it('builds the site as everybody does, and publishes what main has', () => {
    expect(runsOf(jobs['build']).at(-1)).toMatch(/^npx -y pnpm@12 run docs /)
    expect(JSON.parse(read('package.json'))).toHaveProperty('scripts.docs')
    expect(jobs['publish']).toMatchObject({ if: "github.event_name == 'push'", needs: 'build' })
    expect(jobs['publish']?.permissions).toEqual({ pages: 'write', 'id-token': 'write' })
  })
})

describe('the workflow of a release', () => {
  const { jobs, on } = workflow('.github/workflows/release.yml')
  const { steps = [], permissions } = jobs['publish'] as Job

  it('follows the recipe from the build on, after all checks', async () => {
    const recipe = await readRecipe(workspace)
    const runs = runsOf(jobs['publish']).map(line => line.replace('npx -y pnpm@12 ', 'pnpm '))
    expect(runs.slice(2)).toEqual(recipe.slice(recipe.indexOf('pnpm build')))
    expect(jobs['check']?.uses).toBe('./.github/workflows/ci.yml')
  })

  it('is begun by a person, and signs where the packages come from', () => {
    expect(on).toBe('workflow_dispatch')
    expect(permissions).toEqual({ contents: 'write', 'id-token': 'write' })
    const publish = steps.find(({ run }) => run?.endsWith('changeset publish'))
    expect(publish?.env).toMatchObject({ PNPM_CONFIG_PROVENANCE: 'true' })
  })
})

describe('the forms for issues', () => {
  it.each(
    globSync('.github/ISSUE_TEMPLATE/*.yml', { cwd: workspace }).filter(path => !path.includes('config')),
  )('%s has what GitHub asks for', path => {
    const { name, description, body } = parse(read(path)) as {
      name: string
      description: string
      body: { type: string; id: string; attributes: { label: string; options?: unknown[] } }[]
    }
    expect(name && description).toBeTruthy()
    expect(new Set(body.map(({ id }) => id)).size).toBe(body.length)
    for (const { type, attributes } of body) {
      expect(['input', 'textarea', 'dropdown', 'markdown', 'checkboxes']).toContain(type)
      expect(typeof attributes.label).toBe('string')
      for (const option of attributes.options ?? []) expect(typeof option).toBe('string')
    }
  })
})
