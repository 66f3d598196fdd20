import { existsSync, realpathSync } from 'node:fs'
import { dirname, extname, isAbsolute, join, relative } from 'node:path'
import {
  type CheckOptions,
  checkWorkflow,
  type Finding,
  findMachines,
  fixWorkflow,
  isTemplate,
  notUtf8,
  parseDefinition,
  type Source,
  type TemplateMachine,
  unreadMachine,
  unreadTerraform,
  withSubstitutions,
} from '@stepwright/asl'
import { withoutAccepted } from './accepted.ts'
import type { Target, TargetWorkflow } from './discover.ts'
import { UsageError } from './io.ts'
import { readTextFile, replaceTextFile, type TextFile } from './text-file.ts'

/** One definition that was checked, with the text that its findings point into. */
export interface Checked {
  readonly file: string
  readonly text: string
  readonly findings: readonly Finding[]
  /** `true` where `--fix` can change the file: a definition of its own. */
  readonly fixable: boolean
  /** `true` when `--fix` changed the file. */
  readonly fixed: boolean
  /** `true` for what an app as a whole adds, to its definitions or to the file that declares it. */
  readonly ofApp?: boolean
}

export interface CheckFileOptions {
  readonly cwd: string
  /** The project: a template may name files inside it, and no others. */
  readonly root: string
  readonly fix: boolean
}

export function checkFile({ file, workflows }: Target, options: CheckFileOptions): readonly Checked[] {
  const { cwd, fix } = options
  const name = relative(cwd, file) || file
  const { text, notUtf8At } = read(file, name)
  const source = parseDefinition(text, { file: name })
  if (notUtf8At !== undefined)
    return [{ file: name, text, findings: [notUtf8(source, notUtf8At)], fixable: false, fixed: false }]
  if (extname(file) === '.tf')
    return [{ file: name, text, findings: [unreadTerraform(source)], fixable: false, fixed: false }]
  if (!source.broken && isTemplate(source.value)) return checkTemplate(source, file, workflows, options)
  return [checkDefinition(source, file, workflows[0], fix)]
}

function read(file: string, name: string): TextFile {
  try {
    return readTextFile(file)
  } catch (cause) {
    throw new UsageError(`${name} could not be read: ${(cause as Error).message}`, { cause })
  }
}

/** What the checker is told of a workflow. */
export function checkOptionsOf(
  workflow: TargetWorkflow | undefined,
  type?: 'STANDARD' | 'EXPRESS',
): CheckOptions {
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
  const options = checkOptionsOf(workflow)
  const mended = (): string => fixWorkflow(source.text, { ...options, file: source.file })
  const fixed = fix ? mended() : source.text
  if (fixed !== source.text) replaceTextFile(file, fixed)
  const after = fixed === source.text ? source : parseDefinition(fixed, { file: source.file })
  const findings = withoutAccepted(checkWorkflow(after, options), workflow?.accept ?? [], source.file)
  return {
    file: source.file,
    text: fixed,
    findings,
    // YAML in flow style, or by aliases, is left as it is written
    fixable:
      source.format === 'json' ||
      (!fix && findings.some(finding => finding.fix !== undefined) && mended() !== source.text),
    fixed: fixed !== source.text,
  }
}

function checkTemplate(
  template: Source,
  file: string,
  workflows: readonly TargetWorkflow[],
  { cwd, root }: CheckFileOptions,
): readonly Checked[] {
  const machines = findMachines(template)
  const chosenFor = ({ logicalId }: TemplateMachine): TargetWorkflow | undefined =>
    workflows.find(workflow => workflow.logicalId === logicalId) ??
    workflows.find(workflow => workflow.logicalId === undefined)
  const checked = machines.map((machine): Checked & { readonly workflow: TargetWorkflow | undefined } => {
    const workflow = chosenFor(machine)
    const definition = machine.source ?? readNamed(machine, file, { cwd, root })
    const source = typeof definition === 'string' ? template : definition
    return {
      file: source.file,
      text: source.text,
      findings:
        typeof definition === 'string'
          ? [unreadMachine(template, machine, definition)]
          : checkWorkflow(definition, checkOptionsOf(workflow, machine.type)),
      fixable: false,
      fixed: false,
      workflow,
    }
  })
  return acceptTogether(checked, template.file)
}

/** One entry of the config can speak of several machines: what it accepts must be found in one of them. */
function acceptTogether(
  checked: readonly (Checked & { readonly workflow: TargetWorkflow | undefined })[],
  file: string,
): readonly Checked[] {
  const left = new Set<Finding>()
  for (const workflow of new Set(checked.map(each => each.workflow))) {
    const findings = checked.filter(each => each.workflow === workflow).flatMap(each => each.findings)
    for (const finding of withoutAccepted(findings, workflow?.accept ?? [], file)) left.add(finding)
  }
  return checked.map(({ workflow: _workflow, ...each }) => ({
    ...each,
    findings: each.findings.filter(finding => left.has(finding)),
  }))
}

/** The definition in the file that a template names; a string says why there is none. */
function readNamed(
  { file: named, substitutions }: TemplateMachine,
  template: string,
  { cwd, root }: Pick<CheckFileOptions, 'cwd' | 'root'>,
): Source | string {
  if (named === undefined) return 'the template does not hold its definition.'
  const path = join(dirname(template), named)
  if (!existsSync(path)) return `there is no file ${named} beside the template.`
  if (!isInside(realpathSync(root), realpathSync(path))) return `${named} is outside the project.`
  const name = relative(cwd, path)
  const { text, notUtf8At } = read(path, name)
  if (notUtf8At !== undefined) return `${named} is not UTF-8.`
  return withSubstitutions(parseDefinition(text, { file: name }), substitutions)
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '' && !way.startsWith('..') && !isAbsolute(way)
}

/** The files that a template names for its machines. */
export function filesNamedBy(file: string): readonly string[] {
  const source = parseDefinition(read(file, file).text, { file })
  if (source.broken || !isTemplate(source.value)) return []
  return findMachines(source).flatMap(({ file: named }) =>
    named === undefined ? [] : [join(dirname(file), named)],
  )
}
