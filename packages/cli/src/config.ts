import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { CheckOptions, ErrorLike, Tasks } from '@stepwright/asl'
import type { AcceptedFinding } from './accepted.ts'
import type { CloudConfig } from './cloud-config.ts'
import { UsageError } from './io.ts'

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

export interface StepwrightConfig {
  /** For tasks whose schemas cannot tell their JSON Schema, such as those of `zod/mini`. */
  readonly toJsonSchema?: CheckOptions['toJsonSchema']
  readonly workflows: readonly WorkflowConfig[]
  /** What the app has in AWS; called only by the commands that run it. */
  readonly cloud?: () => CloudConfig | Promise<CloudConfig>
}

/** Gives `stepwright.config.ts` its types. */
export function defineConfig(config: StepwrightConfig): StepwrightConfig {
  return config
}

export interface LoadedConfig extends StepwrightConfig {
  readonly file: string
  readonly folder: string
}

export const configNames: readonly string[] = ['ts', 'mts', 'js', 'mjs'].map(
  extension => `stepwright.config.${extension}`,
)

/** The nearest config at or above a folder. */
export function findConfig(folder: string): string | undefined {
  for (let here = folder; ; here = dirname(here)) {
    const found = configNames.map(name => join(here, name)).find(file => existsSync(file))
    if (found !== undefined || dirname(here) === here) return found
  }
}

export async function loadConfig(file: string): Promise<LoadedConfig> {
  const loaded = await importConfig(file)
  const config = loaded['config'] ?? loaded['default']
  if (!isConfig(config)) {
    throw new UsageError(
      `${file} must export "config" (or default) as { workflows: [{ definition, tasks }] }.`,
    )
  }
  return { ...config, file, folder: dirname(file) }
}

/** The config that is named, or the nearest. */
export async function requireConfig(cwd: string, named: string | undefined): Promise<LoadedConfig> {
  const file = named === undefined ? findConfig(cwd) : resolve(cwd, named)
  if (file === undefined) throw new UsageError(`There is no ${configNames[0]} here or above.`)
  return loadConfig(file)
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

function isConfig(value: unknown): value is StepwrightConfig {
  const workflows = (value as Partial<StepwrightConfig> | null | undefined)?.workflows
  return Array.isArray(workflows) && workflows.every(workflow => typeof workflow?.definition === 'string')
}
