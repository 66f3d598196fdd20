import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AcceptedFinding, App, Substitution, WorkflowDeclaration } from '@stepwright/app'
import {
  checkApp,
  checkWorkflow,
  type Finding,
  parseDefinition,
  type Source,
  type Tasks,
} from '@stepwright/asl'
import { allowedActions } from '@stepwright/policy'

/**
 * What `stepwright check` finds in the definitions that are about to be deployed, by workflow: each against the tasks
 * of its functions, and all against the app. What the app accepts is left out.
 */
export function checkDeployment(app: App, definitions: Readonly<Record<string, string>>): readonly Finding[] {
  const sources: Record<string, Source> = {}
  const found = Object.entries<WorkflowDeclaration>(app.workflows ?? {}).flatMap(([name, workflow]) => {
    const file = relative(process.cwd(), fileURLToPath(new URL(workflow.definition, app.root)))
    const source = parseDefinition(definitions[name] ?? '', { file })
    sources[name] = source
    const { input, type, errors, catchExhausted, accept = [], substitutions = {} } = workflow
    const findings = checkWorkflow(source, {
      tasks: tasksOf(app, substitutions),
      ...(app.toJsonSchema && { toJsonSchema: app.toJsonSchema }),
      ...(input && { input }),
      ...(type && { type }),
      ...(errors && { errors }),
      ...(catchExhausted !== undefined && { catchExhausted }),
    })
    return findings.filter(finding => !isAccepted(finding, accept))
  })
  const accepted = Object.values<WorkflowDeclaration>(app.workflows ?? {}).flatMap(
    ({ accept = [] }) => accept,
  )
  return [
    ...found,
    ...checkApp(app, { sources, allowedActions: name => allowedActions(app, name) }).filter(
      finding => !isAccepted(finding, accepted),
    ),
  ]
}

function isAccepted({ rule, pointer }: Finding, accept: readonly AcceptedFinding[]): boolean {
  return accept.some(each => each.rule === rule && each.pointer === pointer)
}

/** By the function's own name, and by every placeholder that stands for it. */
function tasksOf({ functions }: App, substitutions: Readonly<Record<string, Substitution>>): Tasks {
  const named = Object.entries(functions).map(([name, { task }]) => [name, task] as const)
  const placed = Object.entries(substitutions).flatMap(([placeholder, value]) => {
    const task =
      typeof value === 'object' && 'function' in value ? functions[value.function]?.task : undefined
    return task ? [[placeholder, task] as const] : []
  })
  return Object.fromEntries([...named, ...placed])
}
