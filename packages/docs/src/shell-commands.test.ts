import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { main } from '@stepwright/cli'
import { describe, expect, it } from 'vitest'
import { readPages } from './pages.ts'
import { repositoryRoot as root } from './repository.ts'
import { readShellCommands } from './shell-commands.ts'

const commands = readShellCommands(readPages(root))
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** Programs of others: that they do what is said was read in their own documents. */
const others = new Set([
  'aws',
  'cd',
  'cdk',
  'code',
  'curl',
  'git',
  'openssl',
  'psql',
  'sam',
  'terraform',
  'cat',
  '@vscode/vsce',
])
/** pnpm's own. */
const pnpmCommands = new Set(['add', 'config', 'exec', 'install', 'publish', 'run', 'sbom'])
/** Of every project that `npm create stepwright` makes. */
const projectScripts = new Set(['dev', 'check', 'test', 'typecheck'])

const helpTexts = new Map<string, Promise<string>>()
function helpOf(command: string): Promise<string> {
  const help = helpTexts.get(command) ?? readHelp(command)
  helpTexts.set(command, help)
  return help
}

async function readHelp(command: string): Promise<string> {
  let text = ''
  const print = (part: string) => {
    text += part
  }
  await main([command, '--help'], {
    cwd: root,
    colour: false,
    out: print,
    error: print,
    interrupted: async () => {},
  })
  return text
}

function optionsOf(words: readonly string[]): readonly string[] {
  return words
    .filter(word => /^-/.test(word) && word !== '-' && word !== '--')
    .map(word => word.split('=')[0] ?? '')
}

async function problemOf(
  [program = '', ...args]: readonly string[],
  place: string,
): Promise<string | undefined> {
  if (others.has(program)) return undefined
  const [first = '', second = ''] = args
  switch (program) {
    case 'stepwright': {
      if (['--version', '--help'].includes(first)) return undefined
      const help = await helpOf(first)
      if (/There is no command/.test(help)) return `there is no command "${first}"`
      const unknown = optionsOf(args.slice(1)).find(option => !help.includes(option))
      return unknown && `"stepwright ${first}" has no option ${unknown}`
    }
    case 'pnpm':
    case 'pnpm@12': {
      if (first === '-r') return pnpmCommands.has(second) ? undefined : `pnpm has no command "${second}"`
      if (first === '--filter') return filterProblem(second, args[2] ?? '')
      if (first === 'run') return second in scripts ? undefined : `there is no script "${second}"`
      if (first === 'add') return missingPackage(args)
      return pnpmCommands.has(first) || first in scripts ? undefined : `there is no script "${first}"`
    }
    case 'npm': {
      if (first === 'create') return createProblem(args.slice(1))
      if (first === 'install') return missingPackage(args)
      const script = first === 'run' ? second : first
      return projectScripts.has(script) ? undefined : `projects have no script "${script}"`
    }
    case 'node': {
      const file = args.find(word => !word.startsWith('-')) ?? ''
      if (file.startsWith('node_modules/')) return undefined // of the reader's project
      const found = [root, join(root, dirname(place))].some(folder => existsSync(join(folder, file)))
      return found ? undefined : `there is no file ${file}`
    }
    default:
      return `"${program}" is not known`
  }
}

function filterProblem(name: string, script: string): string | undefined {
  const manifest = join(root, 'packages', name.replace('@stepwright/', ''), 'package.json')
  if (!existsSync(manifest)) return `there is no package ${name}`
  return script in JSON.parse(readFileSync(manifest, 'utf8')).scripts
    ? undefined
    : `${name} has no script "${script}"`
}

function missingPackage(args: readonly string[]): string | undefined {
  const ours = args
    .filter(word => word.startsWith('@stepwright/'))
    .map(word => word.slice('@stepwright/'.length))
  const missing = ours.find(
    name => !['packages', 'apps'].some(folder => existsSync(join(root, folder, name, 'package.json'))),
  )
  return missing && `there is no package @stepwright/${missing}`
}

function createProblem([name, ...args]: readonly string[]): string | undefined {
  if (name !== 'stepwright') return `there is no create-${name}`
  const bin = join(root, 'packages/create-stepwright/src/bin.ts')
  const help = execFileSync(process.execPath, [bin, '--help'], { encoding: 'utf8' })
  const given = args.flatMap((word, index) => (args[index - 1] === '--template' ? [word] : []))
  const unknown = [...optionsOf(args), ...given].find(word => word !== 'NAME' && !help.includes(word))
  return unknown && `create-stepwright does not know ${unknown}`
}

describe('the commands in the documents', () => {
  it('are found', () => {
    expect(commands.length).toBeGreaterThan(60)
    expect(commands.map(({ words }) => words)).toContainEqual(['pnpm@12', 'demo'])
  })

  it('exist, with their options', async () => {
    const problems: string[] = []
    for (const { place, words } of commands) {
      const problem = await problemOf(words, place)
      if (problem) problems.push(`${place}: ${words.join(' ')}: ${problem}`)
    }
    expect(problems).toEqual([])
  })

  it.each([
    ['stepwright chek', 'there is no command "chek"'],
    ['stepwright check --nothing', '"stepwright check" has no option --nothing'],
    ['pnpm nothing', 'there is no script "nothing"'],
    ['npm install @stepwright/nothing', 'there is no package @stepwright/nothing'],
    ['npm create stepwright x -- --template absent', 'create-stepwright does not know absent'],
    ['node nothing.ts', 'there is no file nothing.ts'],
    ['rm -rf /', '"rm" is not known'],
  ])('%s would be found', async (command, problem) => {
    expect(await problemOf(command.split(' '), 'README.md')).toBe(problem)
  })
})
