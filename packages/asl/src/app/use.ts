import {
  type App,
  type EnvironmentValue,
  functionDefaults,
  type RouteDeclaration,
  type Substitution,
  type TriggerDeclaration,
} from '@stepwright/app'
import type { Report } from '../finding.ts'
import { type AppWorkflow, calledBy } from './app-workflow.ts'

const maxGatewaySeconds = 29

/** Functions that nobody calls, workflows that nobody starts, and routes that outlast the gateway. */
export function checkUse(app: App, workflows: readonly AppWorkflow[], report: Report): void {
  const routes: readonly (readonly [string, RouteDeclaration | undefined])[] = Object.entries(
    app.routes ?? {},
  )
  const triggers: readonly TriggerDeclaration[] = Object.values(app.triggers ?? {})
  const variables: readonly EnvironmentValue[] = Object.values(app.functions).flatMap(({ environment }) =>
    Object.values(environment ?? {}),
  )
  const substitutions: readonly Substitution[] = Object.values(app.workflows ?? {}).flatMap(
    ({ substitutions: given }) => Object.values(given ?? {}),
  )
  const called = new Set([
    ...workflows.flatMap(workflow => [...calledBy(workflow)]),
    ...routes.flatMap(([, route]) => route?.function ?? []),
    ...triggers.flatMap(trigger => ('calls' in trigger ? trigger.calls : [])),
    ...variables.flatMap(value => (typeof value === 'object' && 'function' in value ? value.function : [])),
    ...(app.database ? [app.database.migratedBy] : []),
  ])
  for (const name of Object.keys(app.functions)) {
    if (called.has(name)) continue
    report('app/unused-function', ['functions', name], `Nothing calls the function ${name}.`, {
      suggestion: 'Call it from a workflow, a route or a trigger, or remove it.',
    })
  }
  const started = new Set([
    ...triggers.flatMap(trigger => ('starts' in trigger ? trigger.starts : [])),
    ...[...variables, ...substitutions].flatMap(value =>
      typeof value === 'object' && 'workflow' in value ? value.workflow : [],
    ),
  ])
  for (const name of Object.keys(app.workflows ?? {})) {
    if (started.has(name)) continue
    report('app/workflow-never-started', ['workflows', name], `Nothing starts the workflow ${name}.`, {
      suggestion: "Start it from a trigger, or bind it to a function: executions(workflow, 'start').",
    })
  }
  for (const [key, route] of routes) {
    const { task, timeoutSeconds = functionDefaults.timeoutSeconds } =
      app.functions[route?.function ?? ''] ?? {}
    const seconds = Math.min(timeoutSeconds, task?.maxSeconds ?? timeoutSeconds)
    // A stream may last as long as any function.
    if (route === undefined || route.streaming || seconds <= maxGatewaySeconds) continue
    const message = `${key} is answered within ${maxGatewaySeconds} s or not at all, but ${route.function} may take ${seconds} s.`
    report('app/timeouts-do-not-nest', ['routes', key], message, {
      suggestion: `Give ${route.function} a timeoutSeconds of ${maxGatewaySeconds} at most.`,
    })
  }
}
