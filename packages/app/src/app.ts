import type { DescribeOptions } from '@stepwright/task'
import type { AlarmDeclaration, MetricDeclaration } from './alarm.ts'
import type { FunctionDeclaration } from './function.ts'
import type { Resources } from './resources.ts'
import type { RouteDeclaration, RouteKey } from './route.ts'
import type { StandInDeclaration, StandInKey } from './stand-in.ts'
import type { TriggerDeclaration } from './trigger.ts'
import type { WorkflowDeclaration } from './workflow.ts'

/** An app as plain data: what `defineApp` makes of a declaration, and every tool reads. */
export interface App {
  /** Letters, digits and `-`: the names of what is deployed begin with it. */
  readonly name: string
  /** What the paths of modules and definitions are relative to: `new URL('..', import.meta.url)`. */
  readonly root: URL
  readonly resources?: Resources
  /** Its PostgreSQL database, and the function that brings its tables up to date, before any other runs. */
  readonly database?: { readonly migratedBy: string }
  readonly functions: Readonly<Record<string, FunctionDeclaration>>
  readonly workflows?: Readonly<Record<string, WorkflowDeclaration>>
  readonly routes?: Readonly<Partial<Record<RouteKey, RouteDeclaration>>>
  /** Its page, beside the routes: a folder with `index.html` and `main.tsx`, relative to the app's root. */
  readonly site?: { readonly directory: string }
  readonly triggers?: Readonly<Record<string, TriggerDeclaration>>
  /** What answers for AWS services that do not run on one machine, by what a state machine calls. Never deployed. */
  readonly standIns?: Readonly<Record<StandInKey, StandInDeclaration>>
  readonly metrics?: Readonly<Record<string, MetricDeclaration>>
  readonly alarms?: Readonly<Record<string, AlarmDeclaration>>
  /** For schemas that cannot tell their JSON Schema, such as those of `zod/mini`. */
  readonly toJsonSchema?: DescribeOptions['toJsonSchema']
}
