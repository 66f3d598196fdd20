import type { App } from '@stepwright/app'
import { createFindings, type Finding } from '../finding.ts'
import { buildMachine } from '../machine/machine.ts'
import type { Source } from '../source/source.ts'
import { sourceOfValue } from '../source/source-of-value.ts'
import type { AppWorkflow } from './app-workflow.ts'
import { checkKinds } from './kinds.ts'
import { checkPermissions } from './permissions.ts'
import { checkPlaceholders } from './placeholders.ts'
import { checkTimeouts } from './timeouts.ts'
import { checkUse } from './use.ts'

export interface CheckAppOptions {
  /** The definitions of the app's workflows, by their names in the app. */
  readonly sources: Readonly<Record<string, Source>>
  /** The file that declares the app, as findings show it. @default 'stepwright.config.ts' */
  readonly file?: string
  /** What a function's policy allows, as `allowedActions` of `@stepwright/policy` says. @default not checked */
  readonly allowedActions?: (functionName: string) => ReadonlySet<string>
}

/** Checks what no workflow can tell alone: whether the parts of an app fit each other. */
export function checkApp(
  app: App,
  { sources, file = 'stepwright.config.ts', allowedActions }: CheckAppOptions,
): readonly Finding[] {
  const declared = createFindings(sourceOfValue({}, file))
  const workflows = Object.entries(sources).map(([name, source]): AppWorkflow => {
    const substitutions = app.workflows?.[name]?.substitutions ?? {}
    return {
      name,
      source,
      machine: source.broken ? undefined : buildMachine(source.value),
      functionOf: placeholder => {
        const given = substitutions[placeholder]
        if (given === undefined) return placeholder in app.functions ? placeholder : undefined
        return typeof given === 'object' && 'function' in given ? given.function : undefined
      },
    }
  })
  const found = workflows.flatMap(workflow => {
    const { report, sorted } = createFindings(workflow.source)
    checkPlaceholders(app, workflow.name, workflow.source, report)
    checkKinds(app, workflow, report)
    checkTimeouts(app, workflow, report)
    return sorted()
  })
  checkUse(app, workflows, declared.report)
  if (allowedActions) checkPermissions(app, allowedActions, declared.report)
  return [...found, ...declared.sorted()]
}
