import type { App } from '@stepwright/app'
import { describeTask } from '@stepwright/task'
import type { AppDescription, ErrorDescription } from '../protocol.ts'
import type { ApiRoutes } from './context.ts'
import { exampleInput } from './workflow-input.ts'

export const appRoutes: ApiRoutes = {
  'GET /api/app': async (_, context): Promise<AppDescription> => {
    const { app, running, inspections } = context
    return {
      name: app.name,
      workflows: Object.entries(running.names.workflows).map(([key, name]) => ({
        key,
        name,
        arn: running.stateMachineArn(key),
        type: app.workflows?.[key]?.type ?? 'STANDARD',
        example: exampleInput(app, key),
        hasSchema: app.workflows?.[key]?.input !== undefined,
      })),
      buckets: Object.values(running.names.buckets),
      tables: Object.values(running.names.tables),
      functions: Object.keys(app.functions),
      hasQueues: Object.keys(running.names.queues).length > 0,
      gateway: running.gateway?.endpoint,
      hasAudit: inspections.has('trail'),
      hasJobs: inspections.has('jobs'),
      errors: declaredErrors(app),
    }
  },
}

function declaredErrors(app: App): Readonly<Record<string, ErrorDescription>> {
  const found = new Map<string, ErrorDescription>()
  for (const { task } of Object.values(app.functions)) {
    const { name, errors } = describeTask(task, app.toJsonSchema ? { toJsonSchema: app.toJsonSchema } : {})
    for (const error of errors) {
      const tasks = [...new Set([...(found.get(error.name)?.tasks ?? []), name])]
      found.set(error.name, { kind: error.kind, retry: error.retry && { ...error.retry }, tasks })
    }
  }
  return Object.fromEntries(found)
}
