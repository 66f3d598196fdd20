import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { rules } from '@stepwright/asl'
import { requireApp } from '../config.ts'
import type { Io } from '../io.ts'
import { readDefinition } from '../read-definition.ts'
import { statesByName } from '../state-nodes.ts'
import { parseUsage, type Usage } from './parse-usage.ts'

/** Something that a word can become. */
export interface Candidate {
  readonly word: string
  readonly about: string
}

export interface Completion {
  readonly candidates: readonly Candidate[]
  /** Whether it can be a file as well. */
  readonly files: boolean
}

/** What the command line says of its commands. */
export interface CommandLine {
  /** The commands, each with what it does. */
  readonly commands: readonly Candidate[]
  /** What `stepwright COMMAND --help` prints. */
  readonly usageOf: (command: string) => Promise<string>
}

const nothing: Completion = { candidates: [], files: false }

/** What the last of the words can become. */
export async function completeWords(
  words: readonly string[],
  { commands, usageOf }: CommandLine,
  io: Pick<Io, 'cwd'>,
): Promise<Completion> {
  const [command = '', ...rest] = words
  if (rest.length === 0) return { candidates: commands, files: false }
  if (!commands.some(({ word }) => word === command)) return nothing
  const usage = parseUsage(await usageOf(command))
  const last = rest.at(-1) ?? ''
  const before = rest.at(-2)
  const option = usage.options.find(({ name, value }) => name === before && value !== undefined)
  if (option !== undefined) {
    if (option.choices.length > 0) return listed(option.choices)
    return valuesOf(command, option.value ?? '', rest, usage, io)
  }
  if (last.startsWith('-'))
    return {
      candidates: usage.options.map(({ name, about }) => ({ word: name, about })),
      files: false,
    }
  const given = positionalsOf(rest, usage)
  const meant = usage.positionals[Math.min(given.length - 1, usage.positionals.length - 1)]
  return meant === undefined ? nothing : valuesOf(command, meant, rest, usage, io)
}

/** The words that are neither options nor their values, the last one among them. */
function positionalsOf(rest: readonly string[], { options }: Usage): readonly string[] {
  const takesValue = new Set(options.filter(({ value }) => value !== undefined).map(({ name }) => name))
  return rest.filter((word, index) => !word.startsWith('-') && !takesValue.has(rest[index - 1] ?? ''))
}

async function valuesOf(
  command: string,
  meant: string,
  rest: readonly string[],
  usage: Usage,
  io: Pick<Io, 'cwd'>,
): Promise<Completion> {
  const config = rest[rest.indexOf('--config') + 1]
  const named = rest.includes('--config') ? config : undefined
  if (meant === 'WORKFLOW') {
    const { workflows = {} } = await requireApp(io, named)
    return listed(Object.keys(workflows))
  }
  if (meant === 'RULE') return listed(Object.keys(rules))
  if (meant === 'SHELL') return listed(['bash', 'zsh', 'fish'])
  if (meant === 'STATE') {
    const [definition = ''] = positionalsOf(rest, usage)
    const file = resolve(io.cwd, definition)
    return existsSync(file) ? listed([...statesByName(await readDefinition(file, io.cwd)).keys()]) : nothing
  }
  if (command === 'policy' && meant === 'NAME') {
    const { functions, workflows = {}, triggers = {} } = await requireApp(io, named)
    return listed([functions, workflows, triggers].flatMap(each => Object.keys(each)))
  }
  const isFile = /^(FILES?|DIR|HISTORY|DEFINITION)$/.test(meant)
  return { candidates: [], files: isFile }
}

function listed(words: readonly string[]): Completion {
  return { candidates: words.map(word => ({ word, about: '' })), files: false }
}
