import { existsSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { AcceptedFinding, App } from '@stepwright/app'
import type { CheckOptions, ErrorLike, Tasks } from '@stepwright/asl'
import { assertOwnConfig } from './config-trust.ts'
import { type Io, UsageError } from './io.ts'

/** A state machine and the tasks that its states call. */
export interface WorkflowConfig {
  /** The definition or template, relative to the config; `*` and `**` match many. */
  readonly definition: string
  readonly tasks?: Tasks
  readonly errors?: readonly ErrorLike[]
  readonly input?: CheckOptions['input']
  readonly catchExhausted?: CheckOptions['catchExhausted']
  /** @default 'STANDARD', or what the template says */
  readonly type?: 'STANDARD' | 'EXPRESS'
  /** Findings that are known and wanted, each with its reason. */
  readonly accept?: readonly AcceptedFinding[]
  /** In a template with several state machines, the one that is meant. @default all of them */
  readonly logicalId?: string
}

/** For a project that is not declared with `defineApp`, and only checked. */
export interface StepwrightConfig {
  /** For tasks whose schemas cannot tell their JSON Schema, such as those of `zod/mini`. */
  readonly toJsonSchema?: CheckOptions['toJsonSchema']
  readonly workflows: readonly WorkflowConfig[]
}

/** Gives a `stepwright.config.ts` that is not an app its types. */
export function defineConfig(config: StepwrightConfig): StepwrightConfig {
  return config
}

export interface LoadedConfig extends StepwrightConfig {
  readonly file: string
  readonly folder: string
  /** Where the config is an app. */
  readonly app?: App
}

export const configNames: readonly string[] = ['ts', 'mts', 'js', 'mjs'].map(
  extension => `stepwright.config.${extension}`,
)

/** The nearest config at or above a folder, within its repository. */
export function findConfig(folder: string): string | undefined {
  for (let here = folder; ; here = dirname(here)) {
    const found = configNames.map(name => join(here, name)).find(file => existsSync(file))
    if (found !== undefined || existsSync(join(here, '.git')) || dirname(here) === here) return found
  }
}

/** Loads a config that was found, and not named. @throws UsageError for another user's, unless all are trusted */
export async function loadFoundConfig(file: string, { trustConfig = false }: Trust): Promise<LoadedConfig> {
  if (!trustConfig) assertOwnConfig(file)
  return loadConfig(file)
}

export type Trust = Pick<Io, 'trustConfig'>

export async function loadConfig(file: string): Promise<LoadedConfig> {
  const loaded = await importConfig(file)
  const config = loaded['default'] ?? loaded['config']
  const folder = dirname(file)
  if (isApp(config)) return { ...toConfig(config, folder), file, folder, app: config }
  if (isConfig(config)) return { ...config, file, folder }
  throw new UsageError(
    `${file} must export an app as its default: "export default app", made by defineApp; or { workflows: [{ definition, tasks }] }.`,
  )
}

/** The config that is named, or the nearest. */
export async function requireConfig(io: Pick<Io, 'cwd'> & Trust, named?: string): Promise<LoadedConfig> {
  if (named !== undefined) return loadConfig(resolve(io.cwd, named))
  const file = findConfig(io.cwd)
  if (file === undefined) throw new UsageError(`There is no ${configNames[0]} here or above.`)
  return loadFoundConfig(file, io)
}

/** The app of the config that is named, or of the nearest. */
export async function requireApp(io: Pick<Io, 'cwd'> & Trust, named?: string): Promise<App> {
  return appOf(await requireConfig(io, named))
}

/** The app of a config that is one. */
export function appOf({ app, file }: LoadedConfig): App {
  if (app !== undefined) return app
  throw new UsageError(`${file} exports no app: declare one with defineApp and export it as the default.`)
}

/** What the checker needs to know of an app. */
function toConfig(app: App, folder: string): StepwrightConfig {
  return {
    ...(app.toJsonSchema && { toJsonSchema: app.toJsonSchema }),
    workflows: Object.values(app.workflows ?? {}).map(
      ({ definition, substitutions, input, type, errors, catchExhausted, accept }) => ({
        definition: relative(folder, fileURLToPath(new URL(definition, app.root))),
        tasks: tasksOf(app, substitutions),
        ...(input && { input }),
        ...(type && { type }),
        ...(errors && { errors }),
        ...(catchExhausted !== undefined && { catchExhausted }),
        // What is about the app as a whole is accepted where the app is checked.
        ...(accept && { accept: accept.filter(({ rule }: AcceptedFinding) => !rule.startsWith('app/')) }),
      }),
    ),
  }
}

/** By the function's own name, and by every placeholder that stands for it. */
function tasksOf({ functions }: App, substitutions: Readonly<Record<string, unknown>> = {}): Tasks {
  const named = Object.entries(functions).map(([name, { task }]) => [name, task] as const)
  const placed = Object.entries(substitutions).flatMap(([placeholder, value]) => {
    const name = (value as { readonly function?: string } | undefined)?.function
    const task = name === undefined ? undefined : functions[name]?.task
    return task ? [[placeholder, task] as const] : []
  })
  return Object.fromEntries([...named, ...placed])
}

async function importConfig(file: string): Promise<Record<string, unknown>> {
  try {
    return (await import(pathToFileURL(file).href)) as Record<string, unknown>
  } catch (cause) {
    throw new UsageError(
      `${file} could not be loaded: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    )
  }
}

function isApp(value: unknown): value is App {
  const { name, root, functions } = (value ?? {}) as Partial<App>
  return typeof name === 'string' && root instanceof URL && typeof functions === 'object'
}

function isConfig(value: unknown): value is StepwrightConfig {
  const workflows = (value as Partial<StepwrightConfig> | null | undefined)?.workflows
  return Array.isArray(workflows) && workflows.every(workflow => typeof workflow?.definition === 'string')
}
