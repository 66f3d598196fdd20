import type { App, FunctionDeclaration } from '@stepwright/app'
import type { Report } from '../finding.ts'

/** AWS actions that a task says it needs, and that no binding of its function allows. */
export function checkPermissions(
  app: App,
  allowedActions: (functionName: string) => ReadonlySet<string>,
  report: Report,
): void {
  for (const [name, { task }] of Object.entries<FunctionDeclaration>(app.functions)) {
    const allowed = allowedActions(name)
    for (const { name: taskName, needs } of [task, ...Object.values(task.routes ?? {})]) {
      for (const { actions, on, optional } of needs?.permissions ?? []) {
        if (optional) continue
        const missing = actions.filter(action => !allowed.has(action))
        if (missing.length === 0) continue
        report(
          'app/missing-permission',
          ['functions', name],
          `The task ${taskName} needs ${missing.join(', ')} on ${on}, and no binding of ${name} allows it.`,
          { suggestion: 'Give a binding the right to do so, or list it in the option `permissions`.' },
        )
      }
    }
  }
}
