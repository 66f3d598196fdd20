import type { App } from './app.ts'
import type { EnvironmentValue } from './function.ts'
import type { StandInKey } from './stand-in.ts'
import type { Substitution } from './workflow.ts'

/** Where what an app refers to is, on one cloud: ARNs, names and URLs by the app's own names. */
export interface Places {
  readonly functionArn: (name: string) => string
  readonly workflowArn: (name: string) => string
  readonly bucketName: (name: string) => string
  readonly tableName: (name: string) => string
  readonly queueUrl: (name: string) => string
  /** The URL of the dead-letter queue of that queue. */
  readonly deadLetterUrl: (name: string) => string
  readonly glueJobName: (name: string) => string
  readonly catalogDatabaseName: (name: string) => string
  readonly configurationSetName: (name: string) => string
  readonly secretValue: (name: string) => string
  readonly databaseUrl: () => string
  /** Where people reach the routes and the site, without a slash at its end. */
  readonly apiUrl: () => string
}

/** The variables of a function or a stand-in, with their references put in. */
export function resolveEnvironment(app: App, name: string, places: Places): Record<string, string> {
  const { environment } = app.functions[name] ?? app.standIns?.[name as StandInKey] ?? {}
  const declared: Readonly<Record<string, EnvironmentValue>> = environment ?? {}
  return Object.fromEntries(
    Object.entries(declared).map(([variable, value]) => [variable, resolveValue(value, places)]),
  )
}

/** What stands for each `${Name}` of a workflow's definition; a function's name is that function. */
export function resolveSubstitutions(app: App, workflow: string, places: Places): Record<string, string> {
  const functions = Object.keys(app.functions).map(name => [name, places.functionArn(name)])
  const own: readonly (readonly [string, Substitution])[] = Object.entries(
    app.workflows?.[workflow]?.substitutions ?? {},
  )
  return Object.fromEntries([
    ...functions,
    ...own.map(([name, value]) => [name, resolveValue(value, places)]),
  ])
}

/** What a value or reference is, on one cloud. */
export function resolveValue(value: EnvironmentValue | Substitution, places: Places): string {
  if (typeof value !== 'object') return String(value)
  if ('bucket' in value) return places.bucketName(value.bucket)
  if ('table' in value) return places.tableName(value.table)
  if ('queue' in value) return places.queueUrl(value.queue)
  if ('deadLettersOf' in value) return places.deadLetterUrl(value.deadLettersOf)
  if ('glueJob' in value) return places.glueJobName(value.glueJob)
  if ('catalogDatabase' in value) return places.catalogDatabaseName(value.catalogDatabase)
  if ('workflow' in value) return places.workflowArn(value.workflow)
  if ('function' in value) return places.functionArn(value.function)
  if ('configurationSet' in value) return places.configurationSetName(value.configurationSet)
  if ('secret' in value) return places.secretValue(value.secret)
  return 'api' in value ? places.apiUrl() : places.databaseUrl()
}
