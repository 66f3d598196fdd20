import type { Environment } from '@stepwright/task/settings'
import type { EnvironmentValue, FunctionPermission } from '../function.ts'
import type { AppResource } from './resource.ts'
import type { Openable, Shown } from './shown.ts'

/** What a function needs for a port, as plain data. */
export interface Needs {
  /** Environment variables. One that is `undefined` must get a value in the app. */
  readonly variables?: Readonly<Record<string, EnvironmentValue | undefined>>
  /** IAM permissions besides those that the variables' references carry. */
  readonly permissions?: readonly FunctionPermission[]
  /** The app must declare them. */
  readonly resources?: readonly AppResource[]
  /** What tools can show of the port. */
  readonly shows?: readonly Shown[]
}

/** The one place that says what a port needs and how it is opened. */
export interface Binding<out Port> {
  readonly needs: Needs
  /** Opens the port from the function's environment variables. Called once per function, at its first event. */
  open(environment: Environment): Port | Promise<Port>
}

/** The bindings of a task: one for each port, and no other. */
export type Bindings<Ports> = [keyof Ports] extends [never]
  ? Readonly<Record<string, never>>
  : { readonly [Port in keyof Ports]: Binding<Exclude<Ports[Port], undefined>> }

type AnyBindings = Readonly<Record<string, Binding<unknown>>>

/** What a record of bindings opens to. */
export type Opened<From extends AnyBindings> = {
  readonly [Name in keyof From]: From[Name] extends Binding<infer Port> ? Port : never
}

/** A binding of your own. Load drivers and SDK clients in `open`, with `await import(…)`. */
export function binding<Port>({
  needs = {},
  open,
}: {
  readonly needs?: Needs
  readonly open: (environment: Environment) => Port | Promise<Port>
}): Binding<Port> {
  return { needs, open: openOnce(open) }
}

/** A binding made of another one, or of several: it needs what they need. */
export function bindFrom<From, Port>(
  from: Binding<From>,
  open: (opened: From) => Port | Promise<Port>,
): Binding<Port>
export function bindFrom<From extends AnyBindings, Port>(
  from: From,
  open: (opened: Opened<From>) => Port | Promise<Port>,
): Binding<Port>
export function bindFrom(
  from: Binding<unknown> | AnyBindings,
  open: (opened: never) => unknown,
): Binding<unknown> {
  if (isBinding(from)) {
    return {
      needs: from.needs,
      open: openOnce(async environment => open((await from.open(environment)) as never)),
    }
  }
  return {
    needs: mergeNeeds(Object.values(from).map(({ needs }) => needs)),
    open: openOnce(async environment => open((await openAll(from, environment)) as never)),
  }
}

/** The ports of a function, opened together. */
export async function openAll(
  bindings: Readonly<Record<string, Openable | undefined>>,
  environment: Environment,
): Promise<Readonly<Record<string, unknown>>> {
  const given = Object.entries(bindings).filter(([, each]) => each !== undefined)
  const opened = await Promise.all(
    given.map(async ([name, each]) => [name, await (each as Openable).open(environment)] as const),
  )
  return Object.fromEntries(opened)
}

/**
 * The needs of several bindings as one: rights on the same resource add up.
 * @throws TypeError for a variable that would need two values
 */
export function mergeNeeds(all: readonly Needs[]): Required<Needs> {
  const variables: Record<string, EnvironmentValue | undefined> = {}
  for (const needs of all) {
    for (const [name, value] of Object.entries(needs.variables ?? {})) {
      variables[name] = name in variables ? mergeValues(name, variables[name], value) : value
    }
  }
  return {
    variables,
    permissions: distinct(all.flatMap(({ permissions = [] }) => permissions)),
    resources: distinct(all.flatMap(({ resources = [] }) => resources)),
    shows: distinct(all.flatMap(({ shows = [] }) => shows)),
  }
}

function mergeValues(
  name: string,
  one: EnvironmentValue | undefined,
  other: EnvironmentValue | undefined,
): EnvironmentValue | undefined {
  if (one === undefined || other === undefined) return one ?? other
  const [{ may, ...target }, { may: otherMay, ...otherTarget }] = [toReference(one), toReference(other)]
  if (JSON.stringify(target) !== JSON.stringify(otherTarget)) {
    throw new TypeError(
      `the variable ${name} would need two values, ${JSON.stringify(one)} and ${JSON.stringify(other)}; rename one of the resources or settings`,
    )
  }
  if (may === undefined) return one
  return { ...target, may: distinct([...may, ...(otherMay ?? [])]) } as unknown as EnvironmentValue
}

function toReference(value: EnvironmentValue): { readonly may?: readonly string[] } {
  return (typeof value === 'object' ? value : { value }) as { readonly may?: readonly string[] }
}

function distinct<T>(values: readonly T[]): readonly T[] {
  return [...new Map(values.map(value => [JSON.stringify(value), value])).values()]
}

function isBinding(from: Binding<unknown> | AnyBindings): from is Binding<unknown> {
  return typeof from.open === 'function'
}

/** Two ports of one function that share a binding share what it opens. After a failure the next event tries again. */
function openOnce<Port>(
  open: (environment: Environment) => Port | Promise<Port>,
): (environment: Environment) => Promise<Port> {
  const opened = new WeakMap<Environment, Promise<Port>>()
  return environment => {
    const known = opened.get(environment)
    if (known) return known
    const opening = (async () => open(environment))()
    opened.set(environment, opening)
    opening.catch(() => opened.delete(environment))
    return opening
  }
}
