import type { AnyApp } from '@stepwright/app'
import { describeTask } from '@stepwright/task'
import type { Report } from '../finding.ts'

/** What Lambda itself provides. */
const provided = new Set(['AWS_REGION', 'AWS_LAMBDA_FUNCTION_NAME', 'AWS_LAMBDA_FUNCTION_MEMORY_SIZE'])

/** Settings that a function wants and its declaration does not give. */
export function checkVariables(app: AnyApp, report: Report): void {
  for (const [name, { settings, environment = {} }] of Object.entries(app.functions)) {
    for (const variable of requiredBy(settings, app) ?? []) {
      if (variable in environment || provided.has(variable)) continue
      report(
        'app/missing-variable',
        ['functions', name, 'environment'],
        `${name} reads the setting ${variable}, and its environment does not have it.`,
        { suggestion: `Add ${variable} to the environment of ${name}.` },
      )
    }
  }
}

/** The names that a task's schema of settings demands; undefined where it cannot tell. */
function requiredBy(schema: unknown, { toJsonSchema }: AnyApp): readonly string[] | undefined {
  if (schema === undefined) return []
  const task = { name: 'settings', input: schema, output: schema, errors: [], run: async () => null } as never
  const { input } = describeTask(task, toJsonSchema ? { toJsonSchema } : {})
  return input === undefined ? undefined : ((input['required'] as readonly string[] | undefined) ?? [])
}
