import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import {
  type CheckOptions,
  checkWorkflow,
  type Finding,
  findMachines,
  fixWorkflow,
  isTemplate,
  parseDefinition,
  type Source,
  withSubstitutions,
} from '@stepwright/asl'
import { withoutAccepted } from './accepted.ts'
import type { Target, TargetWorkflow } from './discover.ts'
import { UsageError } from './io.ts'

/** One definition that was checked, with the text that its findings point into. */
export interface Checked {
  readonly file: string
  readonly text: string
  readonly findings: readonly Finding[]
  /** `true` where `--fix` can change the file: a JSON definition of its own. */
  readonly fixable: boolean
  /** `true` when `--fix` changed the file. */
  readonly fixed: boolean
}

export interface CheckFileOptions {
  readonly cwd: string
  readonly fix: boolean
}

export function checkFile({ file, workflows }: Target, { cwd, fix }: CheckFileOptions): readonly Checked[] {
  const name = relative(cwd, file) || file
  const text = read(file, name)
  const source = parseDefinition(text, { file: name })
  if (!source.broken && isTemplate(source.value)) return checkTemplate(source, file, workflows, cwd)
  return [checkDefinition(source, file, workflows[0], fix)]
}

function read(file: string, name: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new UsageError(`${name} could not be read: ${(cause as Error).message}`, { cause })
  }
}

function optionsOf(workflow: TargetWorkflow | undefined, type?: 'STANDARD' | 'EXPRESS'): CheckOptions {
  const { tasks, errors, input, toJsonSchema, catchExhausted, type: own } = workflow ?? {}
  const chosen = own ?? type
  return {
    ...(tasks && { tasks }),
    ...(errors && { errors }),
    ...(input && { input }),
    ...(toJsonSchema && { toJsonSchema }),
    ...(catchExhausted !== undefined && { catchExhausted }),
    ...(chosen && { type: chosen }),
  }
}

function checkDefinition(
  source: Source,
  file: string,
  workflow: TargetWorkflow | undefined,
  fix: boolean,
): Checked {
  const options = optionsOf(workflow)
  const fixed =
    fix && source.format === 'json'
      ? fixWorkflow(source.text, { ...options, file: source.file })
      : source.text
  if (fixed !== source.text) writeFileSync(file, fixed)
  const after = fixed === source.text ? source : parseDefinition(fixed, { file: source.file })
  return {
    file: source.file,
    text: fixed,
    findings: withoutAccepted(checkWorkflow(after, options), workflow?.accept ?? [], source.file),
    fixable: source.format === 'json',
    fixed: fixed !== source.text,
  }
}

function checkTemplate(
  template: Source,
  file: string,
  workflows: readonly TargetWorkflow[],
  cwd: string,
): readonly Checked[] {
  return findMachines(template).map(({ logicalId, type, source, file: named, substitutions }) => {
    const chosen =
      workflows.find(workflow => workflow.logicalId === logicalId) ??
      workflows.find(workflow => workflow.logicalId === undefined)
    const options = optionsOf(chosen, type)
    if (source !== undefined)
      return {
        file: source.file,
        text: source.text,
        findings: checkWorkflow(source, options),
        fixable: false,
        fixed: false,
      }
    const path = join(dirname(file), named ?? '')
    const name = relative(cwd, path)
    const definition = withSubstitutions(parseDefinition(read(path, name), { file: name }), substitutions)
    return {
      file: name,
      text: definition.text,
      findings: checkWorkflow(definition, options),
      fixable: false,
      fixed: false,
    }
  })
}
