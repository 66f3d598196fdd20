import { existsSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { isRuleId, rules, type Severity } from '@stepwright/asl'
import { explainRule } from '@stepwright/asl/explain'
import { closest } from '@stepwright/errors/spelling'
import { checkDeclaredApp } from './check-declared-app.ts'
import { checkFile, filesNamedBy } from './check-file.ts'
import { findConfigs, type Target, targetsOf } from './discover.ts'
import { formatGithub } from './format/github.ts'
import { formatJson } from './format/json.ts'
import { formatSarif } from './format/sarif.ts'
import { formatText } from './format/text.ts'
import { type Io, UsageError } from './io.ts'
import { oneOf } from './one-of.ts'
import { readOptions } from './read-options.ts'
import { createSourceFiles, type SourceFiles } from './source-files.ts'
import { watchCheck } from './watch-check.ts'

const checkUsage = `Usage: stepwright check [files…] [options]

Checks state machines against the tasks that they call. Files are definitions
(*.asl.json, .jsonc, .yaml) or templates (CloudFormation, CDK, SAM, Serverless). Without any,
those that stepwright.config.ts names are checked, or all *.asl.* files below.

Options:
  --config FILE        the config [default: the nearest stepwright.config.ts]
  --format FORMAT      text, json, sarif or github [default: text]
  --fix                rewrite Retry and Catch of definitions to honour the tasks; comments stay
  --fail-on SEVERITY   error, warning or info [default: error]
  --watch              check again whenever a file changes, until Ctrl-C
  --explain RULE       say what a rule finds, with a bad and a good example
  --help               this text

Exit: 0 nothing found, 1 findings, 2 could not run.
`

const options = {
  config: { type: 'string' },
  format: { type: 'string', default: 'text' },
  fix: { type: 'boolean', default: false },
  'fail-on': { type: 'string', default: 'error' },
  watch: { type: 'boolean', default: false },
  explain: { type: 'string' },
} as const

const formats = { text: formatText, json: formatJson, sarif: formatSarif, github: formatGithub } as const
const ranks: Readonly<Record<Severity, number>> = { info: 0, warning: 1, error: 2 }

/** Runs `stepwright check`; the result is its exit code. */
export async function runCheck(args: readonly string[], io: Io): Promise<0 | 1> {
  const { values, positionals } = readOptions(args, checkUsage, options, { positionals: true })
  if (values.help) {
    io.out(checkUsage)
    return 0
  }
  if (values.explain !== undefined) {
    io.out(explain(values.explain))
    return 0
  }
  const format = formats[oneOf('--format', values.format, namesOf(formats))]
  const failOn = ranks[oneOf('--fail-on', values['fail-on'], namesOf(ranks))]
  if (values.watch) {
    await watchCheck(
      args.filter(arg => arg !== '--watch'),
      io,
    )
    return 0
  }
  const root = findRepository(io.cwd)
  const files = createSourceFiles(io.cwd)
  const configs = await findConfigs(io, positionals, values.config)
  const targets = onlyOnce(targetsOf(configs, io.cwd, positionals), files)
  const how = { files, root: root ?? io.cwd, fix: values.fix }
  const checked = [
    ...targets.flatMap(target => checkFile(target, how)),
    ...(positionals.length === 0 ? configs.flatMap(config => checkDeclaredApp(config, files)) : []),
  ]
  io.out(format(checked, { colour: io.colour, folder: relative(root ?? io.cwd, io.cwd) }))
  return checked.some(({ findings }) => findings.some(({ severity }) => ranks[severity] >= failOn)) ? 1 : 0
}

/** A file that a template names is checked as the template says, unless the config speaks of the file itself. */
function onlyOnce(targets: readonly Target[], files: SourceFiles): readonly Target[] {
  const named = new Set(targets.flatMap(({ file }) => filesNamedBy(file, files)))
  return targets.filter(({ file, workflows }) => workflows.length > 0 || !named.has(file))
}

/** The folder of the repository, from which its hosts count paths. */
function findRepository(folder: string): string | undefined {
  for (let here = folder; ; here = dirname(here)) {
    if (existsSync(join(here, '.git'))) return here
    if (dirname(here) === here) return undefined
  }
}

function namesOf<Name extends string>(choices: Readonly<Record<Name, unknown>>): readonly Name[] {
  return Object.keys(choices) as Name[]
}

function explain(rule: string): string {
  if (isRuleId(rule)) return explainRule(rule)
  const meant = closest(rule, Object.keys(rules))
  if (meant !== undefined) throw new UsageError(`There is no rule "${rule}". Did you mean ${meant}?`)
  const near = Object.keys(rules).filter(id => id.includes(rule.toLowerCase()))
  throw new UsageError(
    `There is no rule "${rule}". The rules are:\n  ${(near.length > 0 ? near : Object.keys(rules)).join('\n  ')}`,
  )
}
