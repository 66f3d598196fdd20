import type { Classifier } from '@stepwright/errors'
import type { AnyTask } from '@stepwright/task'
import type { Environment } from '@stepwright/task/settings'
import { type Binding, mergeNeeds, type Needs, openAll } from '../bindings/binding.ts'
import type { FunctionDeclaration, FunctionKind } from '../function.ts'

/** What a function gets, whatever calls it. */
export interface FunctionOptions
  extends Pick<FunctionDeclaration, 'memoryMb' | 'timeoutSeconds' | 'concurrency' | 'permissions'> {
  /** Environment variables that no port reads, such as `NODE_OPTIONS`. */
  readonly variables?: Readonly<Record<string, string | number>>
}

/** What a function is, as data: the app's declaration is derived from it. */
export interface FunctionFacts {
  readonly task: AnyTask
  readonly needs: Required<Needs>
  readonly options: FunctionOptions
  /** Whether it reads who the caller is: a route to it must be authorized. */
  readonly needsCaller: boolean
}

/** A task and its bindings: the declaration of a Lambda function, and its handler. */
export interface LambdaFunction<Kind extends FunctionKind, Ports, Handler> {
  readonly kind: Kind
  readonly facts: FunctionFacts
  /**
   * The handler with some ports given and the others opened from an environment: `SendBatch.with({ mailer: fake })`.
   * Without an environment, a port that is not given is an error.
   */
  with(ports: Partial<Ports>, environment?: Environment): Handler & LambdaFunction<Kind, Ports, Handler>
}

/** Any function of these kinds, whatever it does. */
export type AnyFunction<Kind extends FunctionKind = FunctionKind> = {
  readonly kind: Kind
  readonly facts: FunctionFacts
}

// biome-ignore lint/suspicious/noExplicitAny: a handler of whatever arguments
type AnyHandler = (...call: any[]) => unknown

/** What every handler of an app is made with. */
export interface Opening {
  readonly ports: () => Promise<never>
  readonly deadLetters?: (() => never) | undefined
  readonly classifiers: () => Promise<readonly Classifier[]>
}

export interface FunctionParts<Kind extends FunctionKind, Handler extends AnyHandler> {
  readonly kind: Kind
  readonly task: AnyTask
  readonly bindings: Readonly<Record<string, Binding<unknown> | undefined>>
  /** Where the adapter sends dead letters. */
  readonly beside?: Binding<unknown> | undefined
  readonly options: FunctionOptions
  readonly needsCaller?: boolean
  /** Makes the handler, at its first event. Declaring a function makes nothing. */
  readonly build: (opening: Opening) => Handler
  /** What the runtime needs of the exported function itself. @default the function as it is */
  readonly mark?: (handler: Handler) => Handler
}

export function createFunction<Kind extends FunctionKind, Ports, Handler extends AnyHandler>(
  parts: FunctionParts<Kind, Handler>,
): Handler & LambdaFunction<Kind, Ports, Handler> {
  return expose(parts, process.env, {})
}

function expose<Kind extends FunctionKind, Ports, Handler extends AnyHandler>(
  parts: FunctionParts<Kind, Handler>,
  environment: Environment,
  given: Partial<Ports>,
): Handler & LambdaFunction<Kind, Ports, Handler> {
  const { kind, task, bindings, beside, options, needsCaller = false, build, mark = same => same } = parts
  const opened = Object.entries(bindings).filter(([name]) => !(name in given))
  const openPorts = async (): Promise<never> =>
    ({ ...(await openAll(Object.fromEntries(opened), environment)), ...given }) as never
  let built: Handler | undefined
  const handler = ((...call) => {
    built ??= build({
      ports: openPorts,
      classifiers: async () => (await import('./classifiers.ts')).classifiers,
      ...(beside && { deadLetters: () => beside.open(environment) as never }),
    })
    return built(...call)
  }) as Handler
  const needs = mergeNeeds([...Object.values(bindings), beside].flatMap(each => (each ? [each.needs] : [])))
  return Object.assign(mark(handler), {
    kind,
    facts: { task, needs, options, needsCaller },
    with: (ports: Partial<Ports>, from: Environment = {}) => expose<Kind, Ports, Handler>(parts, from, ports),
  })
}
