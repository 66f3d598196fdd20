import type { AlarmMetric } from '../alarm.ts'
import type { App } from '../app.ts'
import type { AppResource, ResourceKind } from '../bindings/resource.ts'
import type { EnvironmentValue, FunctionDeclaration } from '../function.ts'
import type { AnyFunction } from '../functions/lambda-function.ts'
import type { DeclaredStandIn } from '../functions/stand-in.ts'
import type { RouteDeclaration } from '../route.ts'
import type { TriggerDeclaration } from '../trigger.ts'
import type { Substitution, WorkflowDeclaration } from '../workflow.ts'
import {
  type AppDeclaration,
  type DeclaredAlarm,
  type DeclaredRoute,
  type DeclaredSubstitution,
  type DeclaredTrigger,
  type DeclaredWorkflow,
  type RoutedFunction,
  routeOf,
} from './app-declaration.ts'
import { assertWiring } from './assert-wiring.ts'
import { zodJsonSchema } from './zod-json-schema.ts'

/**
 * An app's declaration as plain data, with names in place of values: what every tool reads.
 * @throws TypeError for wiring that cannot work, with what to do about it
 */
export function lowerApp(declared: AppDeclaration): App {
  assertWiring(declared)
  const { functions, resources = {}, functionsModule = 'src/functions/index.ts', migratedBy } = declared
  const nameOf = namesOf(functions)
  const { name, root, site } = declared
  const logged = declared.logging && { STEPWRIGHT_ERROR_MESSAGES: declared.logging.errorMessages }
  return {
    ...given({ name, root, site }),
    toJsonSchema: zodJsonSchema,
    resources: lowerResources(Object.values(resources)),
    ...(migratedBy && { database: { migratedBy: nameOf(migratedBy, 'migratedBy') } }),
    functions: mapValues(functions, (each, key) => lowerFunction(each, functionsModule, key, logged)),
    ...(declared.workflows && {
      workflows: Object.fromEntries(
        declared.workflows.map(([{ name: key }, each]) => [key, lowerWorkflow(each, nameOf)]),
      ),
    }),
    ...(declared.routes && {
      routes: mapValues(declared.routes, (each, key) => lowerRoute(each, key, nameOf)),
    }),
    ...(declared.triggers && {
      triggers: mapValues(declared.triggers, (each, key) => lowerTrigger(each, key, nameOf)),
    }),
    ...(declared.standIns && { standIns: lowerStandIns(declared.standIns) }),
    ...(declared.metrics && {
      metrics: mapValues(declared.metrics, ({ by, ...metric }, key) => ({
        ...metric,
        ...(by && { by: by.map(each => nameOf(each, `metric ${key}: by`)) }),
      })),
    }),
    ...(declared.alarms && {
      alarms: mapValues(declared.alarms, (each, key) => ({
        ...each,
        metric: lowerMetric(each.metric, key, nameOf),
      })),
    }),
  } as App
}

type NameOf = (fn: AnyFunction, place: string) => string

function namesOf(functions: Readonly<Record<string, AnyFunction>>): NameOf {
  const names = new Map(Object.entries(functions).map(([name, fn]) => [fn, name]))
  return (fn, place) => {
    const name = names.get(fn)
    if (name !== undefined) return name
    throw new TypeError(
      `${place}: the function of the task ${fn?.facts?.task.name} is not among the app's functions; export it from the module that \`functions\` is imported from`,
    )
  }
}

function lowerFunction(
  { kind, facts: { task, needs, options } }: AnyFunction,
  module: string,
  name: string,
  logged: Readonly<Record<string, string>> | undefined,
): FunctionDeclaration {
  const { memoryMb, timeoutSeconds, concurrency, permissions = [], variables = {} } = options
  return {
    module,
    export: name,
    kind,
    task,
    ...given({ memoryMb, timeoutSeconds, concurrency }),
    environment: { ...(needs.variables as Record<string, EnvironmentValue>), ...logged, ...variables },
    permissions: [...needs.permissions, ...permissions],
    shows: needs.shows,
  }
}

/** The key of an app's `resources` for each kind that stands there. */
const keyOf: Partial<Record<ResourceKind, string>> = {
  bucket: 'buckets',
  table: 'tables',
  queue: 'queues',
  secret: 'secrets',
  configurationSet: 'configurationSets',
  glueJob: 'glueJobs',
  catalogDatabase: 'catalogDatabases',
}

function lowerResources(resources: readonly AppResource[]): App['resources'] {
  const lowered: Record<string, Record<string, unknown>> = {}
  for (const resource of resources) {
    const key = keyOf[resource.kind]
    if (key !== undefined) {
      lowered[key] = { ...lowered[key], [resource.name]: (resource as { options?: unknown }).options ?? {} }
    }
  }
  return lowered
}

function lowerStandIns(standIns: Readonly<Record<string, DeclaredStandIn>>): NonNullable<App['standIns']> {
  return Object.fromEntries(
    Object.entries(standIns).map(
      ([
        name,
        {
          standsFor,
          facts: { needs, options },
        },
      ]) => [
        standsFor,
        {
          module: 'src/stand-ins/index.ts',
          export: name,
          ...given({ timeoutSeconds: options.timeoutSeconds }),
          environment: { ...(needs.variables as Record<string, EnvironmentValue>), ...options.variables },
        },
      ],
    ),
  )
}

function lowerWorkflow(declared: DeclaredWorkflow, nameOf: NameOf): WorkflowDeclaration {
  const { substitutions, known, ...rest } = declared
  const lower = (value: DeclaredSubstitution, key: string): Substitution => {
    if (typeof value === 'string') return value
    if ('facts' in value) return { function: nameOf(value, `substitution ${key}`) }
    return { [value.kind]: value.name } as unknown as Substitution
  }
  return {
    ...rest,
    ...(substitutions && { substitutions: mapValues(substitutions, lower) }),
    ...(known && { known: mapValues(known, lower) }),
  } as WorkflowDeclaration
}

function lowerRoute(declared: RoutedFunction | DeclaredRoute, key: string, nameOf: NameOf): RouteDeclaration {
  const { function: fn, authorized } = routeOf(declared)
  return {
    function: nameOf(fn, `route ${key}`),
    ...given({ authorized }),
    ...(fn.kind === 'stream' && { streaming: true }),
  }
}

function lowerTrigger(declared: DeclaredTrigger, key: string, nameOf: NameOf): TriggerDeclaration {
  const place = `trigger ${key}`
  if ('queue' in declared) {
    return { ...declared, queue: declared.queue.name, calls: nameOf(declared.calls, place) }
  }
  if ('stream' in declared) {
    return { ...declared, stream: declared.stream.name, calls: nameOf(declared.calls, place) }
  }
  const target =
    'calls' in declared ? { calls: nameOf(declared.calls, place) } : { starts: declared.starts.name }
  if ('objectCreated' in declared) {
    const { bucket, ...keys } = declared.objectCreated
    return { objectCreated: { ...keys, bucket: bucket.name }, ...target }
  }
  const {
    calls: _calls,
    starts: _starts,
    ...source
  } = declared as typeof declared & {
    readonly calls?: unknown
    readonly starts?: unknown
  }
  return { ...source, ...target } as TriggerDeclaration
}

function lowerMetric(metric: DeclaredAlarm['metric'], key: string, nameOf: NameOf): AlarmMetric {
  if ('workflow' in metric) return { ...metric, workflow: metric.workflow.name }
  if ('queue' in metric) return { ...metric, queue: metric.queue.name }
  if ('function' in metric) return { ...metric, function: nameOf(metric.function, `alarm ${key}`) }
  return metric
}

function mapValues<V, To>(
  record: Readonly<Partial<Record<string, V>>>,
  to: (value: V, key: string) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, to(value as V, key)]))
}

/** Without what is undefined. */
function given<T extends object>(values: T): { readonly [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T & {
    readonly [K in keyof T]?: Exclude<T[K], undefined>
  }
}
