import { execFile } from 'node:child_process'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { repositoryRoot as root } from '../src/repository.ts'
import { readSteps, type Step } from './tutorial.ts'

/** Inside this package, where what the project imports is installed from the workspace. */
const place = join(import.meta.dirname, '../.cache/tutorial')
const start = join(place, 'clone')
let cwd = start
const vitest = join(import.meta.dirname, '../node_modules/vitest/vitest.mjs')

beforeAll(async () => {
  await rm(place, { recursive: true, force: true })
  await mkdir(start, { recursive: true })
})
afterAll(() => rm(place, { recursive: true, force: true }))

/** What a command is without the registry; its first line of words has to match. */
function toProgram(command: string): readonly string[] | undefined {
  const words = command.split(' ')
  if (command.startsWith('npx -y pnpm@12 new'))
    return [join(root, 'packages/create-stepwright/src/bin.ts'), ...words.slice(4), '--yes']
  if (command.startsWith('npx stepwright')) return [join(root, 'packages/cli/src/bin.ts'), ...words.slice(2)]
  if (command === 'npm run check') return [join(root, 'packages/cli/src/bin.ts'), 'check']
  if (command === 'npm test') return [vitest, 'run', '--root', '.', '--no-isolate', '--maxWorkers=1']
  return undefined
}

async function run(command: string): Promise<string> {
  if (command === 'npm install') return '' // what it would install is linked
  const [, folder] = /^cd (\S+)$/.exec(command) ?? []
  if (folder !== undefined) {
    cwd = join(cwd, folder)
    return ''
  }
  const program = toProgram(command)
  if (program === undefined) throw new Error(`"${command}" is not known`)
  const { NODE_OPTIONS: _, VITEST: __, ...env } = process.env
  return await new Promise(resolve => {
    execFile(process.execPath, [...program], { cwd, env }, (error, stdout, stderr) =>
      resolve(`${stdout}${stderr}\nexit ${error?.code ?? 0}\n`),
    )
  })
}

async function perform(step: Step): Promise<string> {
  if (step.kind === 'run') return await run(step.command)
  const file = join(cwd, step.file)
  if (step.kind === 'write') await writeFile(file, step.text)
  else {
    const text = await readFile(file, 'utf8')
    expect(text.split(step.from), `${step.file} has these lines once`).toHaveLength(2)
    await writeFile(
      file,
      text.replace(step.from, () => step.to),
    )
  }
  return ''
}

const steps = readSteps(await readFile(join(root, 'docs/tutorial.md'), 'utf8'))

describe('docs/tutorial.md', () => {
  it('has steps of every kind', () => {
    expect(new Set(steps.map(({ kind }) => kind))).toEqual(new Set(['run', 'write', 'edit']))
  })

  it('works, step by step', { timeout: 120_000 }, async () => {
    const exits: string[] = []
    for (const step of steps) {
      const printed = await perform(step)
      if (step.kind !== 'run') continue
      const lines = printed.split('\n').map(line => line.trim())
      for (const expected of step.expected)
        expect(
          lines.some(line => line.includes(expected)),
          `${step.command} prints ${expected}:\n${printed}`,
        ).toBe(true)
      const [, code] = /\nexit (\d+)\n$/.exec(printed) ?? []
      if (code !== undefined && code !== '0') exits.push(step.command)
    }
    expect(exits).toEqual(['npx stepwright run order --input too-many.json'])
  })
})
