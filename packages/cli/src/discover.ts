import { globSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import {
  configNames,
  findConfig,
  type LoadedConfig,
  loadConfig,
  loadFoundConfig,
  type StepwrightConfig,
  type Trust,
  type WorkflowConfig,
} from './config.ts'
import { type Io, UsageError } from './io.ts'

/** A file to check, with the entries of the config that speak of it. */
export interface Target {
  readonly file: string
  readonly workflows: readonly TargetWorkflow[]
}

/** An entry of a config, with what the config says for all of them. */
export type TargetWorkflow = WorkflowConfig & Pick<StepwrightConfig, 'toJsonSchema'>

/** The entry that speaks of a state machine of a template, or of a definition of its own. */
export function workflowFor(
  workflows: readonly TargetWorkflow[],
  logicalId: string | undefined,
): TargetWorkflow | undefined {
  if (logicalId === undefined) return workflows[0]
  return (
    workflows.find(workflow => workflow.logicalId === logicalId) ??
    workflows.find(workflow => workflow.logicalId === undefined)
  )
}

const definitionPattern = '**/*.asl.{json,jsonc,yaml,yml}'
const skipped = new Set(['node_modules', 'dist', 'cdk.out', '.git'])

function search(folder: string, pattern: string): readonly string[] {
  // what is left out of a search may be named
  const named = new Set(pattern.split(/[\\/]/))
  return globSync(pattern, {
    cwd: folder,
    exclude: name => {
      const last = String(name).split(/[\\/]/).at(-1) ?? ''
      return skipped.has(last) && !named.has(last)
    },
  })
    .map(file => join(folder, file))
    .filter(isFile)
    .sort()
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}

/** The files that were named; without any, those of the configs; without those, all that look like definitions. */
export async function findTargets(
  io: Pick<Io, 'cwd'> & Trust,
  named: readonly string[],
  configFile?: string,
): Promise<readonly Target[]> {
  return targetsOf(await findConfigs(io, named, configFile), io.cwd, named)
}

export function targetsOf(
  configs: readonly LoadedConfig[],
  cwd: string,
  named: readonly string[],
): readonly Target[] {
  const targets = new Map<string, TargetWorkflow[]>()
  for (const config of configs) {
    const shared = config.toJsonSchema && { toJsonSchema: config.toJsonSchema }
    for (const workflow of config.workflows) {
      const files = search(config.folder, workflow.definition)
      if (files.length === 0)
        throw new UsageError(`${config.file} names ${workflow.definition}, but there is no such file.`)
      for (const file of files) targets.set(file, [...(targets.get(file) ?? []), { ...workflow, ...shared }])
    }
  }
  if (named.length === 0 && targets.size > 0) return toTargets(targets, [...targets.keys()])
  const files =
    named.length === 0 ? search(cwd, definitionPattern) : named.flatMap(name => filesOf(cwd, name))
  if (files.length === 0) {
    throw new UsageError(
      'Nothing to check: name files, or write a stepwright.config.ts, or call definitions *.asl.json.',
    )
  }
  return toTargets(targets, files)
}

function toTargets(
  targets: ReadonlyMap<string, TargetWorkflow[]>,
  files: readonly string[],
): readonly Target[] {
  return [...new Set(files)].map(file => ({ file, workflows: targets.get(file) ?? [] }))
}

function filesOf(cwd: string, name: string): readonly string[] {
  const path = resolve(cwd, name)
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats?.isDirectory()) return search(path, definitionPattern)
  const files = stats === undefined ? search(cwd, name) : [path]
  if (files.length === 0) throw new UsageError(`There is no file ${name}.`)
  return files
}

/** The configs that speak of the files that were named; without any, of all files below. */
export async function findConfigs(
  { cwd, trustConfig }: Pick<Io, 'cwd'> & Trust,
  named: readonly string[],
  configFile?: string,
): Promise<readonly LoadedConfig[]> {
  if (configFile !== undefined) {
    const file = resolve(cwd, configFile)
    if (!isFile(file)) throw new UsageError(`There is no config ${configFile}.`)
    return [await loadConfig(file)]
  }
  const above = named.length === 0 ? [findConfig(cwd)] : named.map(name => findConfig(resolve(cwd, name)))
  const found = new Set(above.filter(file => file !== undefined))
  if (found.size === 0 && named.length === 0) {
    for (const file of search(cwd, `**/{${configNames.join(',')}}`)) found.add(file)
  }
  return Promise.all(
    [...found].map(file => loadFoundConfig(file, trustConfig === undefined ? {} : { trustConfig })),
  )
}
