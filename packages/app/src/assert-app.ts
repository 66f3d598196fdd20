import { closest } from '@stepwright/errors/spelling'
import type { MetricDeclaration } from './alarm.ts'
import type { App } from './app.ts'
import { assertDeployable } from './assert-deployable.ts'
import { type EnvironmentValue, functionDefaults } from './function.ts'
import { queueDefaults } from './resources.ts'
import { parseSchedule } from './schedule/schedule.ts'
import type { Substitution } from './workflow.ts'

type Kind =
  | 'function'
  | 'workflow'
  | 'bucket'
  | 'table'
  | 'queue'
  | 'secret'
  | 'metric'
  | 'glueJob'
  | 'catalogDatabase'
  | 'configurationSet'
type Names = Readonly<Record<Kind, readonly string[]>>

const appName = /^[a-z][a-z0-9-]{0,39}$/
const routeKey = /^(GET|POST|PUT|PATCH|DELETE) \/\S*$/
const standInKey = /^(aws-sdk:)?[a-z0-9]+:[a-z][A-Za-z0-9]*$/
const maxTimeoutSeconds = 900
/** More need a window to be gathered in. */
const maxBatchSize = 10
const maxStreamBatchSize = 1000
const maxStandInSeconds = 7 * 24 * 3600

/** @throws TypeError for what the types let pass, or were not asked */
export function assertApp(app: App): void {
  if (!appName.test(app.name)) {
    throw new TypeError(
      `the app's name must be 1 to 40 lower-case letters, digits and "-", the first a letter; it is ${JSON.stringify(app.name)}`,
    )
  }
  const names = namesOf(app)
  for (const [name, declared] of Object.entries(app.functions)) {
    const place = `function ${name}`
    assertWhole(declared.timeoutSeconds, 1, maxTimeoutSeconds, `${place}: timeoutSeconds`)
    assertWhole(declared.memoryMb, 128, 10_240, `${place}: memoryMb`)
    assertWhole(declared.concurrency, 1, 1000, `${place}: concurrency`)
    for (const [variable, value] of Object.entries(declared.environment ?? {})) {
      assertReference(value, names, app, `${place}: environment ${variable}`)
    }
  }
  for (const [name, { substitutions = {} }] of Object.entries(app.workflows ?? {})) {
    for (const [placeholder, value] of Object.entries(substitutions)) {
      assertReference(value, names, app, `workflow ${name}: substitution ${placeholder}`)
    }
  }
  for (const [key, route] of Object.entries(app.routes ?? {})) {
    if (!routeKey.test(key)) {
      throw new TypeError(`route ${key}: must be a method and a path, such as "GET /campaigns/{id}"`)
    }
    if (route !== undefined) assertKnown('function', route.function, names, `route ${key}`)
  }
  for (const [name, trigger] of Object.entries(app.triggers ?? {})) {
    const place = `trigger ${name}`
    if ('objectCreated' in trigger) assertKnown('bucket', trigger.objectCreated.bucket, names, place)
    if ('queue' in trigger) {
      assertKnown('queue', trigger.queue, names, place)
      assertWhole(trigger.batchSize, 1, maxBatchSize, `${place}: batchSize`)
      assertKnown('function', trigger.calls, names, place)
      assertVisibility(app, trigger, place)
    }
    if ('stream' in trigger) {
      assertKnown('table', trigger.stream, names, place)
      assertWhole(trigger.batchSize, 1, maxStreamBatchSize, `${place}: batchSize`)
    }
    if ('schedule' in trigger && parseSchedule(trigger.schedule) === undefined) {
      throw new TypeError(
        `${place}: schedule must be rate(1 minute), rate(5 minutes) or cron(0 3 * * ? *), with "?" for either the day of the month or the day of the week; it is ${trigger.schedule}`,
      )
    }
    if ('calls' in trigger) assertKnown('function', trigger.calls, names, place)
    else assertKnown('workflow', trigger.starts, names, place)
  }
  for (const [key, declared] of Object.entries(app.standIns ?? {})) {
    if (!standInKey.test(key)) {
      throw new TypeError(
        `stand-in ${key}: must be a service and an action, such as "glue:startJobRun" or "aws-sdk:glue:updateTable", without "arn:aws:states:::" and ".sync"`,
      )
    }
    assertWhole(declared.timeoutSeconds, 1, maxStandInSeconds, `stand-in ${key}: timeoutSeconds`)
    for (const [variable, value] of Object.entries(declared.environment ?? {})) {
      assertReference(value, names, app, `stand-in ${key}: environment ${variable}`)
    }
  }
  if (app.site !== undefined) assertSite(app)
  for (const [name, { grants }] of Object.entries(app.resources?.glueJobs ?? {})) {
    for (const grant of grants) assertReference(grant, names, app, `Glue job ${name}`)
  }
  for (const [name, { by }] of Object.entries<MetricDeclaration>(app.metrics ?? {}))
    for (const each of by ?? []) assertKnown('function', each, names, `metric ${name}: by`)
  if (app.database) assertKnown('function', app.database.migratedBy, names, 'database: migratedBy')
  for (const [name, { metric }] of Object.entries(app.alarms ?? {})) {
    assertReference(metric, names, app, `alarm ${name}`)
    if ('percentOf' in metric && metric.percentOf !== undefined)
      assertKnown('metric', metric.percentOf, names, `alarm ${name}: percentOf`)
  }
  assertDeployable(app)
}

function assertSite({ site, routes = {} }: App): void {
  if (typeof site?.directory !== 'string' || /^\/|^$|^\w+:/.test(site.directory)) {
    throw new TypeError("site: directory must be a path relative to the app's root, such as web")
  }
  const [taken] = ['GET /', 'GET /main.js', 'GET /main.css'].filter(key => key in routes)
  if (taken !== undefined) throw new TypeError(`route ${taken}: the site has this path`)
}

function namesOf({ functions, workflows, resources = {}, metrics }: App): Names {
  return {
    function: Object.keys(functions),
    workflow: Object.keys(workflows ?? {}),
    bucket: Object.keys(resources.buckets ?? {}),
    table: Object.keys(resources.tables ?? {}),
    queue: Object.keys(resources.queues ?? {}),
    secret: Object.keys(resources.secrets ?? {}),
    metric: Object.keys(metrics ?? {}),
    glueJob: Object.keys(resources.glueJobs ?? {}),
    catalogDatabase: Object.keys(resources.catalogDatabases ?? {}),
    configurationSet: Object.keys(resources.configurationSets ?? {}),
  }
}

function assertReference(
  value: EnvironmentValue | Substitution | object,
  names: Names,
  app: App,
  place: string,
): void {
  if (typeof value !== 'object') return
  if ('database' in value && app.database === undefined) {
    throw new TypeError(`${place}: the app declares no database`)
  }
  if ('api' in value && app.routes === undefined && app.site === undefined) {
    throw new TypeError(`${place}: the app declares no routes`)
  }
  if ('deadLettersOf' in value) assertKnown('queue', String(value.deadLettersOf), names, place)
  for (const kind of Object.keys(names) as Kind[]) {
    if (kind in value) assertKnown(kind, (value as Record<Kind, string>)[kind], names, place)
  }
}

function assertKnown(kind: Kind, name: string, names: Names, place: string): void {
  const known = names[kind]
  if (known.includes(name)) return
  const meant = closest(name, known)
  const hint =
    meant !== undefined
      ? `did you mean ${meant}?`
      : known.length > 0
        ? `there are ${known.join(', ')}`
        : `the app declares no ${kind}`
  throw new TypeError(`${place}: there is no ${kind} ${name}; ${hint}`)
}

/** Lambda takes no queue whose messages come back while a function still works on them. */
function assertVisibility(
  { resources, functions }: App,
  { queue, calls }: { readonly queue: string; readonly calls: string },
  place: string,
): void {
  const { visibilitySeconds = queueDefaults.visibilitySeconds } = resources?.queues?.[queue] ?? {}
  const { timeoutSeconds = functionDefaults.timeoutSeconds } = functions[calls] ?? {}
  if (visibilitySeconds >= timeoutSeconds) return
  throw new TypeError(
    `${place}: visibilitySeconds of the queue ${queue} must be at least ${timeoutSeconds}, the timeoutSeconds of ${calls}, not ${visibilitySeconds}`,
  )
}

function assertWhole(value: number | undefined, min: number, max: number, what: string): void {
  if (value === undefined || (Number.isInteger(value) && value >= min && value <= max)) return
  throw new TypeError(`${what} must be a whole number from ${min} to ${max}, not ${value}`)
}
