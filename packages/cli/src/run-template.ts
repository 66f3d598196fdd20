import { readFile } from 'node:fs/promises'
import { relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { StateMachine } from '@stepwright/asl'
import { createEngine, functionMissing, type InvokeFunction } from '@stepwright/asl-engine'
import { closest } from '@stepwright/errors/spelling'
import { type Io, UsageError } from './io.ts'
import { type DeployedMachine, readMachines } from './template-machines.ts'

type Handler = (event: unknown, context: object) => unknown

export interface RunTemplateOptions {
  readonly template: string
  /** The logical id; may be left out where the template has one machine. */
  readonly machine: string | undefined
  /** A module that exports functions, by the names that the template has for them. */
  readonly functions: string | undefined
  readonly input: string
}

/** How an execution of a template's state machine ended. */
export interface TemplateRun {
  readonly status: string
  readonly output?: unknown
  readonly error?: string | undefined
  readonly cause?: string | undefined
}

/** Runs a template's state machine in this process: nothing but the functions that are given is called. */
export async function runTemplate(
  { template, machine, functions, input }: RunTemplateOptions,
  io: Io,
): Promise<TemplateRun> {
  const path = resolve(io.cwd, template)
  const machines = readMachines(relative(io.cwd, path) || path, await readTemplate(path))
  const { definition, type } = choose(machines, machine)
  const handlers = functions === undefined ? {} : await importFunctions(resolve(io.cwd, functions))
  const engine = createEngine({
    definition: definition as StateMachine,
    type,
    invoke: invokeGiven(handlers),
  })
  const result = await engine.run(JSON.parse(input), {
    onEvent: ({ type: kind, ...event }) => {
      const name = (event as { readonly stateName?: string }).stateName
      if (/StateEntered$/.test(kind) && name !== undefined) io.error(`${name}\n`)
    },
  }).result
  return result
}

async function readTemplate(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    throw new UsageError(`The template cannot be read: ${(cause as Error).message}`, { cause })
  }
}

function choose(machines: readonly DeployedMachine[], id: string | undefined): DeployedMachine {
  const ids = machines.map(machine => machine.id)
  const [only] = machines
  if (only === undefined) throw new UsageError('The template has no state machine.')
  if (id === undefined) {
    if (machines.length === 1) return only
    throw new UsageError(`Name one of its state machines: ${ids.join(', ')}.`)
  }
  const found = machines.find(machine => machine.id === id)
  if (found !== undefined) return found
  const meant = closest(id, ids)
  throw new UsageError(
    `There is no state machine ${id}. ${meant === undefined ? `There are ${ids.join(', ')}.` : `Did you mean ${meant}?`}`,
  )
}

async function importFunctions(file: string): Promise<Readonly<Record<string, Handler>>> {
  try {
    const exported = (await import(pathToFileURL(file).href)) as Readonly<Record<string, unknown>>
    return Object.fromEntries(
      Object.entries(exported).filter((entry): entry is [string, Handler] => typeof entry[1] === 'function'),
    )
  } catch (cause) {
    throw new UsageError(`${file} could not be loaded: ${(cause as Error).message}`, { cause })
  }
}

/** `${ValidateFunction1A2B3C4D.Arn}`, `arn:…:function:validate:live` and the like, by the name that fits best. */
function invokeGiven(handlers: Readonly<Record<string, Handler>>): InvokeFunction {
  return (arn, payload) => {
    const name = nameOf(arn)
    const exact = handlers[name]
    const [begins, ...others] = Object.keys(handlers).filter(each => name.startsWith(each))
    const handler = exact ?? (others.length === 0 && begins !== undefined ? handlers[begins] : undefined)
    if (handler === undefined) throw functionMissing(arn)
    return handler(payload, { functionName: name, invokedFunctionArn: arn })
  }
}

function nameOf(arn: string): string {
  const placeholder = /\$\{([A-Za-z0-9]+)(?:\.Arn)?\}/.exec(arn)?.[1]
  return placeholder ?? /:function:([^:]+)/.exec(arn)?.[1] ?? arn
}
