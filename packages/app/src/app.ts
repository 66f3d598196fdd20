import type { DescribeOptions } from '@stepwright/task'
import type { AlarmDeclaration, MetricDeclaration } from './alarm.ts'
import type { FunctionDeclaration } from './function.ts'
import type { Resources } from './resources.ts'
import type { RouteDeclaration, RouteKey } from './route.ts'
import type { StandInDeclaration, StandInKey } from './stand-in.ts'
import type { TriggerDeclaration } from './trigger.ts'
import type { WorkflowDeclaration } from './workflow.ts'

/** An app, declared once. The type parameters are the names of what it has. */
export interface App<
  F extends string = string,
  W extends string = string,
  B extends string = string,
  T extends string = string,
  Q extends string = string,
  S extends string = string,
  M extends string = string,
> {
  /** Letters, digits and `-`: the names of what is deployed begin with it. */
  readonly name: string
  /** What the paths of modules and definitions are relative to: `new URL('..', import.meta.url)`. */
  readonly root: URL
  readonly resources?: Resources<B, T, Q, S>
  /** Its PostgreSQL database, and the function that brings its tables up to date, before any other runs. */
  readonly database?: { readonly migratedBy: F }
  readonly functions: Readonly<Record<F, FunctionDeclaration<F, W, B, T, Q, S>>>
  readonly workflows?: Readonly<Record<W, WorkflowDeclaration<F, W, B, T, Q>>>
  readonly routes?: Readonly<Partial<Record<RouteKey, RouteDeclaration<F>>>>
  /** Its page, beside the routes: a folder with `index.html` and `main.tsx`, relative to the app's root. */
  readonly site?: { readonly directory: string }
  readonly triggers?: Readonly<Record<string, TriggerDeclaration<F, W, B, Q>>>
  /** What answers for AWS services that do not run on one machine, by what a state machine calls. Never deployed. */
  readonly standIns?: Readonly<Record<StandInKey, StandInDeclaration<F, W, B, T, Q, S>>>
  readonly metrics?: Readonly<Record<M, MetricDeclaration>>
  readonly alarms?: Readonly<Record<string, AlarmDeclaration<F, W, Q, M>>>
  /** For schemas that cannot tell their JSON Schema, such as those of `zod/mini`. */
  readonly toJsonSchema?: DescribeOptions['toJsonSchema']
}

// biome-ignore lint/suspicious/noExplicitAny: any app at all, whatever its names
export type AnyApp = App<any, any, any, any, any, any, any>
