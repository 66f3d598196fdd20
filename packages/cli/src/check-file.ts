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
  type Source,
  type TemplateMachine,
  unreadMachine,
  unreadTerraform,
  withSubstitutions,
} from '@stepwright/asl'
import { withoutAccepted } from './accepted.ts'
import { type Target, type TargetWorkflow, workflowFor } from './discover.ts'
import type { SourceFiles } from './source-files.ts'
import { withoutConsequences } from './without-consequences.ts'

/** One definition that was checked. */
export interface Checked {
  readonly file: string
  /** What its findings point into. Empty where they have no place in it: what an app declares is spread over files. */
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
  readonly files: SourceFiles
  /** The project: a template may name files inside it, and no others. */
  readonly root: string
  readonly fix: boolean
}

export function checkFile({ file, workflows }: Target, options: CheckFileOptions): readonly Checked[] {
  const { source, notUtf8At } = options.files.read(file)
  const { file: name, text } = source
  if (notUtf8At !== undefined)
    return [{ file: name, text, findings: [notUtf8(source, notUtf8At)], fixable: false, fixed: false }]
  if (extname(file) === '.tf')
    return [{ file: name, text, findings: [unreadTerraform(source)], fixable: false, fixed: false }]
  if (!source.broken && isTemplate(source.value)) return checkTemplate(source, file, workflows, options)
  return [checkDefinition(source, file, workflows[0], options)]
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
  { files, fix }: Pick<CheckFileOptions, 'files' | 'fix'>,
): Checked {
  const options = checkOptionsOf(workflow)
  const mended = (): string => fixWorkflow(source.text, { ...options, file: source.file })
  const fixed = fix ? mended() : source.text
  const after = fixed === source.text ? source : files.replace(file, fixed)
  const findings = withoutAccepted(
    withoutConsequences(checkWorkflow(after, options)),
    workflow?.accept ?? [],
    source.file,
  )
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
  { files, root }: CheckFileOptions,
): readonly Checked[] {
  const machines = findMachines(template)
  const checked = machines.map((machine): Checked & { readonly workflow: TargetWorkflow | undefined } => {
    const workflow = workflowFor(workflows, machine.logicalId)
    const definition = machine.source ?? readNamed(machine, file, { files, root })
    const source = typeof definition === 'string' ? template : definition
    return {
      file: source.file,
      text: source.text,
      findings:
        typeof definition === 'string'
          ? [unreadMachine(template, machine, definition)]
          : withoutConsequences(checkWorkflow(definition, checkOptionsOf(workflow, machine.type))),
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
  { files, root }: Pick<CheckFileOptions, 'files' | 'root'>,
): Source | string {
  if (named === undefined) return 'the template does not hold its definition.'
  const path = join(dirname(template), named)
  if (!existsSync(path)) return `there is no file ${named} beside the template.`
  if (!isInside(realpathSync(root), realpathSync(path))) return `${named} is outside the project.`
  const { source, notUtf8At } = files.read(path)
  return notUtf8At === undefined ? withSubstitutions(source, substitutions) : `${named} is not UTF-8.`
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '' && !way.startsWith('..') && !isAbsolute(way)
}

/** The files that a template names for its machines. */
export function filesNamedBy(file: string, files: SourceFiles): readonly string[] {
  const { source } = files.read(file)
  if (source.broken || !isTemplate(source.value)) return []
  return findMachines(source).flatMap(({ file: named }) =>
    named === undefined ? [] : [join(dirname(file), named)],
  )
}
