import { execFile } from 'node:child_process'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { main as stepwright } from '@stepwright/cli'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DeploymentName, deployments } from './deployments.ts'
import { main } from './main.ts'
import { packageManagerOf } from './package-manager.ts'
import { type TemplateName, templates } from './templates.ts'

const run = promisify(execFile)
/** Inside this package, where what the projects import is installed. */
const cwd = join(import.meta.dirname, '../.cache/projects')

beforeAll(async () => {
  await rm(cwd, { recursive: true, force: true })
  await mkdir(cwd, { recursive: true })
})
afterAll(() => rm(cwd, { recursive: true, force: true }))

async function create(...args: string[]) {
  let written = ''
  const write = (text: string) => {
    written += text
  }
  const code = await main(args, { cwd, write, ask: undefined })
  return { code, written }
}

function binOf(name: string, file: string): string {
  return join(import.meta.dirname, '../node_modules', name, file)
}

function runNode(folder: string, ...args: string[]) {
  const { NODE_OPTIONS: _, VITEST: __, ...env } = process.env
  return run(process.execPath, args, { cwd: join(cwd, folder), env })
}

async function runStepwright(folder: string, ...args: string[]) {
  let printed = ''
  const print = (text: string) => {
    printed += text
  }
  const io = { cwd: join(cwd, folder), colour: false, out: print, error: print, interrupted: async () => {} }
  return { code: await stepwright(args, io), printed }
}

/** Each template once, each way to deploy at least once. */
const projects = [
  { name: 'a-minimal', template: 'minimal', deployment: 'sam' },
  { name: 'a-csv-import', template: 'csv-import', deployment: 'cdk' },
  { name: 'a-long-jobs', template: 'long-jobs', deployment: 'none' },
] as const satisfies readonly { name: string; template: TemplateName; deployment: DeploymentName }[]

describe.each(projects)('the template $template with $deployment', ({ name, template, deployment }) => {
  it('is written with its name, and says what to do next', async () => {
    const { code, written } = await create(name, '--template', template, '--deploy', deployment, '--yes')
    expect({ code, written }).toEqual({ code: 0, written: expect.stringContaining(`cd ${name}\n`) })
    expect(written.includes('npm run synth')).toBe(deployment !== 'none')
    expect(await readFile(join(cwd, name, 'src/app.ts'), 'utf8')).toContain(`name: '${name}'`)
    expect(await readFile(join(cwd, name, '.gitignore'), 'utf8')).toContain('node_modules/')
    const readme = await readFile(join(cwd, name, 'README.md'), 'utf8')
    expect(readme).not.toContain('{{')
    expect(readme.includes('\n\n## Deploying\n')).toBe(deployment !== 'none')
  })

  it('names a version for all that it depends on', async () => {
    const manifest = JSON.parse(await readFile(join(cwd, name, 'package.json'), 'utf8'))
    for (const [dependency, version] of Object.entries({
      ...manifest.dependencies,
      ...manifest.devDependencies,
    }))
      expect({ dependency, version }).toEqual({ dependency, version: expect.any(String) })
    expect(manifest.scripts.synth).toBe(deployments[deployment].scripts['synth'])
  })

  it('has nothing that stepwright check finds', async () => {
    const { code, printed } = await runStepwright(name, 'check', '--fail-on', 'info')
    expect(code).toBe(0)
    expect(printed).toContain('1 state machine checked, nothing found')
  })
})

describe('the projects of all templates', () => {
  it('compile', async () => {
    const { compilerOptions } = JSON.parse(await readFile(join(cwd, 'a-minimal/tsconfig.json'), 'utf8'))
    await writeFile(join(cwd, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['.'] }))
    await runNode('.', binOf('typescript', 'bin/tsc'))
  })

  it('pass their own tests', async () => {
    const { stdout } = await runNode('.', binOf('vitest', 'vitest.mjs'), 'run', '--root', '.', '--no-color')
    expect(stdout).toMatch(/Test Files +6 passed \(6\)/)
  })

  it('cover every template and every way to deploy', () => {
    expect(projects.map(({ template }) => template)).toEqual(Object.keys(templates))
    expect(projects.map(({ deployment }) => deployment).toSorted()).toEqual(
      Object.keys(deployments).toSorted(),
    )
  })

  it('are written for SAM by their own script', async () => {
    const [, ...args] = deployments.sam.scripts['synth']?.split(' ') ?? []
    const { code, printed } = await runStepwright('a-minimal', ...args, '--no-code')
    expect({ code, printed }).toEqual({ code: 0, printed: expect.stringContaining('sam deploy') })
    const template = await readFile(join(cwd, 'a-minimal/stepwright.out/template.json'), 'utf8')
    expect(template).toContain('AWS::Serverless::StateMachine')
  })
})

describe('create-stepwright', () => {
  it('runs an order of the minimal project, whose output is JSON alone', async () => {
    const bin = binOf('@stepwright/cli', 'src/bin.ts')
    const { stdout } = await runNode('a-minimal', bin, 'run', 'order', '--input', 'order.json')
    expect(JSON.parse(stdout)).toMatchObject({ price: { totalCents: 6800, shippingCents: 0 } })
  })

  it('touches nothing that exists', async () => {
    const { code, written } = await create('a-minimal', '--yes')
    expect(code).toBe(2)
    expect(written).toMatch(/a-minimal is not empty: it has /)
    await writeFile(join(cwd, 'a-file'), '')
    expect((await create('a-file', '--yes')).written).toMatch(/a-file is a file\./)
  })

  it.each([
    [['My App'], 'not "My App". Try "my-app".'],
    [['9 Lives!'], 'Try "lives".'],
    [['日本'], 'the last no "-", not "日本".\n'],
    [['stream'], 'The name must not be that of a module of Node, as "stream" is. Try "stream-app".'],
    [['ends-'], 'Try "ends".'],
    [
      ['x', '--template', 'nothing'],
      'There is no template "nothing". There are minimal, csv-import, long-jobs.',
    ],
    [['x', '--template', 'long-job'], 'There is no template "long-job". Did you mean "long-jobs"?'],
    [['x', '--deploy', 'smm'], 'There is no way to deploy "smm". Did you mean "sam"?'],
    [['x', '--nothing'], 'There is no option --nothing.'],
    [['x', '--tempalte', 'minimal'], 'There is no option --tempalte. Did you mean --template?'],
    [['x', 'y'], 'Name one folder, not x, y.'],
  ])('refuses %j and says why', async (args, problem) => {
    const { code, written } = await create(...args, '--yes')
    expect(code).toBe(2)
    expect(written).toContain(problem)
    expect(written).toContain('Usage: npm create stepwright')
  })

  it('speaks the language of the package manager that started it', async () => {
    let written = ''
    const write = (text: string) => {
      written += text
    }
    const packageManager = packageManagerOf('pnpm/12.18.0 npm/? node/v24.21.0 linux x64')
    await main(['by-pnpm', '--yes'], { cwd, write, ask: undefined, packageManager })
    expect(written).toContain('  pnpm install\n  pnpm test ')
    expect(await readFile(join(cwd, 'by-pnpm/pnpm-workspace.yaml'), 'utf8')).toContain("  'esbuild': true\n")
    expect(packageManagerOf('npm/11.19.1 node/v24.21.0')).toBe('npm')
    expect(packageManagerOf(undefined)).toBe('npm')
  })

  it('asks for what it was not told, and again after an answer that will not do', async () => {
    const asked: string[] = []
    const answers = ['Asked!', 'asked', 'minmal', '3', 'sam']
    let written = ''
    const code = await main([], {
      cwd,
      write: text => {
        written += text
      },
      ask: async question => {
        asked.push(question)
        return answers.shift() ?? ''
      },
    })
    expect({ code, asked }).toEqual({
      code: 0,
      asked: [
        'Name of the app',
        'Name of the app',
        'The template, by name or number',
        'The template, by name or number',
        'The way to deploy, by name or number',
      ],
    })
    expect(written).toContain('Try "asked".')
    expect(written).toContain('Did you mean "minimal"?')
    expect(written).toContain('  3  long-jobs   jobs behind an API')
    expect(await readFile(join(cwd, 'asked/package.json'), 'utf8')).toContain('--target sam')
    expect(await readFile(join(cwd, 'asked/report.asl.json'), 'utf8')).toContain('WriteReport')
  })
})
