import { closest } from '@stepwright/errors/spelling'
import type { Needs } from '../bindings/binding.ts'
import type { AppResource, GlueJobResource } from '../bindings/resource.ts'
import type { FunctionKind } from '../function.ts'
import type { AnyFunction } from '../functions/lambda-function.ts'
import { type AppDeclaration, type DeclaredTrigger, routeOf } from './app-declaration.ts'
import { assertPrefixes } from './assert-prefixes.ts'

/** The factory that makes a function of each kind. */
const factories: Readonly<Record<FunctionKind, string>> = {
  call: 'lambda()',
  http: 'http()',
  stream: 'eventStream()',
  sqs: 'sqs()',
  event: 'eventBridge() or schedule()',
  dynamodb: 'dynamoDbStream()',
}

/** What `import * as` brings along must be functions, and each must fit where it stands. */
export function assertWiring(app: AppDeclaration): void {
  for (const [name, fn] of Object.entries(app.functions)) {
    if (fn?.facts === undefined) {
      throw new TypeError(
        `functions.${name} is not a function of an app; make it with lambda(), http(), eventStream(), sqs(), dynamoDbStream(), eventBridge() or schedule(), or do not export it there`,
      )
    }
    assertValues(fn, `function ${name}`)
  }
  const answered = new Map<string, string>()
  for (const [name, standIn] of Object.entries(app.standIns ?? {})) {
    if (standIn?.standsFor === undefined) {
      throw new TypeError(
        `standIns.${name} is not a stand-in; make it with standIn('glue:startJobRun', …), or do not export it there`,
      )
    }
    assertValues(standIn, `stand-in ${name}`)
    const other = answered.get(standIn.standsFor)
    if (other !== undefined) {
      throw new TypeError(
        `standIns.${name} and standIns.${other} both answer for ${standIn.standsFor}; remove one`,
      )
    }
    answered.set(standIn.standsFor, name)
  }
  assertResources(app)
  for (const [name, fn] of Object.entries(app.functions)) {
    for (const resource of fn.facts.needs.resources) {
      const called = resource.kind === 'function' ? app.functions[resource.name] : undefined
      if (called) assertKind(called, ['call'], `function ${name}: invoke('${resource.name}')`)
    }
  }
  for (const [key, declared] of Object.entries(app.routes ?? {})) {
    if (declared === undefined) continue
    const { function: fn, authorized = true } = routeOf(declared)
    assertKind(fn, ['http', 'stream'], `route ${key}`)
    if (!authorized && fn.facts.needsCaller) {
      throw new TypeError(
        `route ${key}: the function asks for its caller, but the route is open to everybody; leave out \`authorized: false\`, or the option \`caller\` of the function`,
      )
    }
  }
  for (const [key, trigger] of Object.entries(app.triggers ?? {})) {
    if ('calls' in trigger) assertKind(trigger.calls, kindsFor(trigger), `trigger ${key}`)
  }
  assertPrefixes(app)
  if (app.migratedBy) assertKind(app.migratedBy, ['call'], 'migratedBy')
}

/** What declares needs: a function or a stand-in. */
interface Needy {
  readonly facts: { readonly needs: Required<Needs> }
}

function assertValues({ facts }: Needy, place: string): void {
  for (const [variable, value] of Object.entries(facts.needs.variables)) {
    if (value !== undefined) continue
    throw new TypeError(
      `${place}: the setting ${variable} has no value; give it one, as in setting('${variable}', schema, { value: … }), or let its schema accept a missing value`,
    )
  }
}

function kindsFor(trigger: DeclaredTrigger): readonly FunctionKind[] {
  if ('stream' in trigger) return ['dynamodb']
  return 'queue' in trigger ? ['sqs'] : ['call', 'event']
}

function assertKind(fn: AnyFunction, kinds: readonly FunctionKind[], place: string): void {
  if (kinds.includes(fn.kind)) return
  throw new TypeError(
    `${place}: it calls a function made with ${factories[fn.kind]}, but needs one made with ${kinds.map(kind => factories[kind]).join(' or ')}`,
  )
}

/** Every resource that a binding refers to is declared, and every declared one is used. */
function assertResources(app: AppDeclaration): void {
  const declared = [
    ...Object.values(app.resources ?? {}),
    ...(app.workflows ?? []).map(([workflow]) => workflow),
    ...Object.keys(app.functions).map((name): AppResource => ({ kind: 'function', name })),
  ]
  assertDistinct(declared)
  const known = new Set(declared.map(labelOf))
  if (app.routes !== undefined || app.site !== undefined) known.add('api api')
  const used = new Set<string>()
  const needy: readonly (readonly [string, Needy])[] = [
    ...Object.entries(app.functions).map(([name, fn]) => [`function ${name}`, fn] as const),
    ...Object.entries(app.standIns ?? {}).map(([name, each]) => [`stand-in ${name}`, each] as const),
  ]
  for (const [place, { facts }] of needy) {
    for (const resource of facts.needs.resources) {
      const label = labelOf(resource)
      used.add(label)
      if (!known.has(label)) throw new TypeError(`${place}: ${describeMissing(resource, declared)}`)
    }
  }
  for (const resource of resourcesInUse(app)) used.add(labelOf(resource))
  const unused = Object.entries(app.resources ?? {}).find(
    ([, resource]) => !used.has(labelOf(resource)) && resource.kind !== 'workflow',
  )
  if (unused) {
    throw new TypeError(
      `resources.${unused[0]}: no function, workflow, trigger or alarm uses the ${unused[1].kind} ${unused[1].name}; bind it to a function or remove it`,
    )
  }
  const orphan = Object.entries(app.resources ?? {}).find(
    ([, { kind, name }]) => kind === 'workflow' && !app.workflows?.some(([each]) => each.name === name),
  )
  if (orphan) {
    throw new TypeError(
      `resources.${orphan[0]}: the workflow ${orphan[1].name} has no definition; add [${orphan[0]}, { definition: … }] to \`workflows\``,
    )
  }
  if (known.has('database database') !== (app.migratedBy !== undefined)) {
    throw new TypeError(
      app.migratedBy
        ? 'migratedBy: the app declares no database(); add it to `resources`'
        : 'the app has a database(), but no function creates its tables; set `migratedBy`',
    )
  }
}

function assertDistinct(resources: readonly AppResource[]): void {
  const seen = new Map<string, AppResource>()
  for (const resource of resources) {
    const other = seen.get(labelOf(resource))
    if (other !== undefined && other !== resource) {
      throw new TypeError(`there are two resources of the name ${labelOf(resource)}; rename one`)
    }
    seen.set(labelOf(resource), resource)
  }
}

/** What is used by more than bindings. */
function resourcesInUse(app: AppDeclaration): readonly AppResource[] {
  const found: AppResource[] = []
  const add = (value: unknown): void => {
    if (typeof value === 'object' && value !== null && 'kind' in value && 'name' in value) {
      found.push(value as AppResource)
    }
  }
  for (const [, { substitutions = {}, known = {} }] of app.workflows ?? []) {
    for (const value of [...Object.values(substitutions), ...Object.values(known)]) add(value)
  }
  for (const trigger of Object.values(app.triggers ?? {})) {
    if ('queue' in trigger) add(trigger.queue)
    if ('stream' in trigger) add(trigger.stream)
    if ('objectCreated' in trigger) add(trigger.objectCreated.bucket)
  }
  for (const { metric } of Object.values(app.alarms ?? {})) if ('queue' in metric) add(metric.queue)
  for (const resource of Object.values(app.resources ?? {})) found.push(...grantedBy(resource))
  return found
}

/** What a Glue job works on. */
function grantedBy(resource: AppResource): readonly AppResource[] {
  if (resource.kind !== 'glueJob') return []
  return (resource as GlueJobResource).options.grants.map(grant =>
    'bucket' in grant ? { kind: 'bucket', name: grant.bucket } : { kind: 'table', name: grant.table },
  )
}

/** A queue's dead letters are declared with the queue. */
function labelOf({ kind, name }: AppResource): string {
  return `${kind === 'deadLetterQueue' ? 'queue' : kind} ${name}`
}

function describeMissing(resource: AppResource, declared: readonly AppResource[]): string {
  const { kind, name } = resource
  if (kind === 'api') return 'it needs the URL of the API, but the app has neither routes nor a site'
  if (kind === 'workflow') return `its binding refers to the workflow ${name}, which is not in \`workflows\``
  const names = declared.filter(each => each.kind === kind).map(each => each.name)
  const meant = closest(name, names)
  const advice = kind === 'function' ? 'export one of that name' : 'add it to `resources`'
  return `its binding refers to the ${kind} ${name}, which the app does not declare; ${
    meant === undefined ? advice : `did you mean ${meant}?`
  }`
}
