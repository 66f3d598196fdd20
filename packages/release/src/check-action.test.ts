import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'

const workspace = join(import.meta.dirname, '../../..')

interface Action {
  readonly inputs: Readonly<Record<string, { readonly description: string; readonly default: string }>>
  readonly outputs: Readonly<Record<string, { readonly value: string }>>
  readonly runs: { readonly using: string; readonly steps: readonly ActionStep[] }
}
interface ActionStep {
  readonly id?: string
  readonly name: string
  readonly shell?: string
  readonly run?: string
  readonly uses?: string
  readonly if?: string
  readonly env?: Readonly<Record<string, string>>
  readonly with?: Readonly<Record<string, string>>
  readonly 'working-directory'?: string
}
interface Hook {
  readonly id: string
  readonly name: string
  readonly entry: string
  readonly language: string
  readonly files: string
  readonly pass_filenames?: boolean
}

const action = parse(await readFile(join(workspace, '.github/actions/check/action.yml'), 'utf8')) as Action
const hooks = parse(await readFile(join(workspace, '.pre-commit-hooks.yaml'), 'utf8')) as Hook[]

const right = {
  StartAt: 'Wait',
  TimeoutSeconds: 60,
  States: { Wait: { Type: 'Wait', Seconds: 1, End: true } },
}
const wrong = { ...right, States: { Wait: { Type: 'Wait', Seconds: 1, Next: 'Nowhere' } } }

let repository: string
beforeAll(async () => {
  repository = await mkdtemp(join(tmpdir(), 'stepwright action '))
  const command = join(repository, 'shop/node_modules/.bin/stepwright')
  for (const folder of ['.git', 'temp', 'shop/workflows'])
    await mkdir(join(repository, folder), { recursive: true })
  await mkdir(dirname(command), { recursive: true })
  await writeFile(
    command,
    `#!/bin/sh\nexec '${process.execPath}' '${workspace}/packages/cli/src/bin.ts' "$@"\n`,
  )
  await chmod(command, 0o755)
  await writeFile(join(repository, 'shop/package.json'), '{}')
  await writeFile(join(repository, 'shop/workflows/right.asl.json'), JSON.stringify(right))
  await writeFile(join(repository, 'shop/workflows/wrong.asl.json'), JSON.stringify(wrong, null, 2))
})
afterAll(() => rm(repository, { recursive: true }))

/** Runs a script as it stands in a folder of the repository, with nothing in the environment but what is given. */
function runScript(script: string, folder: string, env: Readonly<Record<string, string>>) {
  const shell = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script] // as GitHub calls it
  const surroundings = { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env }
  return new Promise<{ code: number; out: string; err: string }>(resolve => {
    const options = { cwd: join(repository, folder), env: surroundings }
    execFile('bash', shell, options, (error, out, err) => {
      resolve({ code: error === null ? 0 : Number(error.code), out, err })
    })
  })
}

/** Runs the action's own scripts with these inputs, and gives what the runner would learn of it. */
async function runAction(inputs: Readonly<Record<string, string>>) {
  const outputs: Record<string, string> = {}
  const printed: string[] = []
  for (const [index, step] of action.runs.steps.entries()) {
    if (step.run === undefined) continue
    const fill = (text: string) =>
      text.replace(/\$\{\{ (?:inputs\.([\w-]+)|steps\.check\.outputs\.(\w+)) \}\}/g, (_, input, output) =>
        String(input ? (inputs[input] ?? action.inputs[input]?.default) : outputs[output]),
      )
    const outputFile = join(repository, `temp/output-${index}`)
    await writeFile(outputFile, '')
    const env = Object.entries(step.env ?? {}).map(([name, text]) => [name, fill(text)])
    const { code, out, err } = await runScript(step.run, fill(step['working-directory'] ?? '.'), {
      ...Object.fromEntries(env),
      RUNNER_TEMP: join(repository, 'temp'),
      GITHUB_OUTPUT: outputFile,
    })
    printed.push(out, err)
    const lines = (await readFile(outputFile, 'utf8')).split('\n').filter(line => line !== '')
    Object.assign(outputs, Object.fromEntries(lines.map(line => line.split(/=(.*)/s))))
    if (code !== 0) return { code, failedIn: step.name, outputs, printed: printed.join('') }
  }
  return { code: 0, failedIn: undefined, outputs, printed: printed.join('') }
}

describe('the action', () => {
  it('is composite, names a shell for every script, and hands on what its steps have', () => {
    expect(action.runs.using).toBe('composite')
    for (const { run, shell, uses } of action.runs.steps) {
      if (run !== undefined) expect(shell).toBe('bash')
      else expect(uses).toBeDefined()
    }
    for (const { description, default: value } of Object.values(action.inputs)) {
      expect(description).toMatch(/\.$/)
      expect(typeof value).toBe('string')
    }
    expect(action.outputs['sarif']?.value).toContain(' steps.check.outputs.sarif ')
  })

  it('annotates what it finds, writes SARIF from the root of the repository, and fails last', async () => {
    const { code, failedIn, outputs, printed } = await runAction({ 'working-directory': 'shop' })
    expect({ code, failedIn }).toEqual({ code: 1, failedIn: 'Judge' })
    expect(printed).toMatch(/^::error file=shop\/workflows\/wrong\.asl\.json,line=8,.*Nowhere/m)
    const sarif = JSON.parse(await readFile(outputs['sarif'] ?? '', 'utf8')) as {
      version: string
      runs: { results: { level: string; locations: { physicalLocation: object }[] }[] }[]
    }
    expect(sarif.version).toBe('2.1.0')
    const places = sarif.runs[0]?.results.map(({ locations }) => locations[0]?.physicalLocation)
    expect(places).toContainEqual({
      artifactLocation: { uri: 'shop/workflows/wrong.asl.json' },
      region: expect.objectContaining({ startLine: 8 }),
    })
  })

  it('passes where nothing is found, of the files that are named', async () => {
    const files = 'workflows/right.asl.json\n\n'
    const { code, outputs } = await runAction({ 'working-directory': 'shop', files })
    expect(code).toBe(0)
    expect(JSON.parse(await readFile(outputs['sarif'] ?? '', 'utf8'))).toMatchObject({
      runs: [{ results: [] }],
    })
  })

  it('fails at once, with no SARIF to upload, where it could not check', async () => {
    const { code, failedIn, outputs, printed } = await runAction({
      'working-directory': 'shop',
      files: 'workflows/absent.asl.json',
    })
    expect({ code, failedIn, outputs }).toEqual({ code: 2, failedIn: 'Check state machines', outputs: {} })
    expect(printed).toContain('absent.asl.json')
  })

  it('takes names for what they are, not for commands', async () => {
    const files = 'workflows/$(touch owned).asl.json; touch owned'
    const { code } = await runAction({ 'working-directory': 'shop', files })
    expect(code).toBe(2)
    await expect(readFile(join(repository, 'shop/owned'))).rejects.toThrow('ENOENT')
  })

  it('uploads before it judges, and not for forks', () => {
    const names = action.runs.steps.map(({ name }) => name)
    expect(names).toEqual(['Check state machines', 'Tell code scanning', 'Judge'])
    const upload = action.runs.steps[1]
    expect(upload?.uses).toMatch(/^github\/codeql-action\/upload-sarif@/)
    expect(upload?.if).toContain('fork != true')
    expect(upload?.with?.['sarif_file']).toBe(action.outputs['sarif']?.value)
  })
})

describe('the pre-commit hooks', () => {
  /** As pre-commit does: the entry split as a shell splits it, then the files that match. */
  function commit(id: string, ...changed: string[]) {
    const { entry, files, pass_filenames: pass = true } = hooks.find(hook => hook.id === id) as Hook
    const matching = changed.filter(file => new RegExp(files).test(file))
    if (matching.length === 0) return Promise.resolve({ code: 0, out: 'skipped', err: '' })
    return runScript(
      `${entry} "$@"`.replace('"$@"', pass ? matching.map(file => `'${file}'`).join(' ') : ''),
      'shop',
      {},
    )
  }

  it('need nothing that the project does not have', () => {
    for (const hook of hooks) {
      expect(Object.keys(hook)).toEqual(expect.arrayContaining(['id', 'name', 'entry', 'language', 'files']))
      expect(hook.language).toBe('system')
    }
  })

  it('refuse a commit with a mistake, and say where it is', async () => {
    const { code, out } = await commit('stepwright-check', 'workflows/wrong.asl.json', 'README.md')
    expect(code).toBe(1)
    expect(out).toContain('workflows/wrong.asl.json:8')
  })

  it('let through what is right, and what does not concern them', async () => {
    expect(await commit('stepwright-check', 'workflows/right.asl.json')).toMatchObject({ code: 0 })
    expect(await commit('stepwright-check', 'README.md')).toMatchObject({ out: 'skipped' })
  })

  it('check everything when a task changes', async () => {
    const { code, out } = await commit('stepwright-check-all', 'src/tasks.ts')
    expect(code).toBe(1)
    expect(out).toContain('workflows/wrong.asl.json')
  })
})
