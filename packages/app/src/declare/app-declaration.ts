import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { AlarmDeclaration, AlarmMetric, MetricDeclaration } from '../alarm.ts'
import type { App } from '../app.ts'
import type {
  AppResource,
  BucketResource,
  CatalogDatabaseResource,
  GlueJobResource,
  QueueResource,
  TableResource,
} from '../bindings/resource.ts'
import type { AnyFunction } from '../functions/lambda-function.ts'
import type { DeclaredStandIn } from '../functions/stand-in.ts'
import type { RouteKey } from '../route.ts'
import type { EventPattern, Schedule } from '../trigger.ts'
import type { WorkflowDeclaration } from '../workflow.ts'

/** An app: its functions and resources as values, and how they are connected. */
export interface AppDeclaration extends Pick<App, 'name' | 'root' | 'site'> {
  /** Every function, under the name that `${Name}` in a definition has: `import * as functions`. */
  readonly functions: Readonly<Record<string, AnyFunction>>
  /** The module that exports them all, relative to the app's root. @default 'src/functions/index.ts' */
  readonly functionsModule?: string
  /** What the functions' bindings refer to: `import * as resources`. */
  readonly resources?: Readonly<Record<string, AppResource>>
  /** The function that brings the tables of the database up to date, before any other runs. */
  readonly migratedBy?: AnyFunction<'call'>
  readonly workflows?: readonly (readonly [AppResource<'workflow'>, DeclaredWorkflow])[]
  readonly routes?: Readonly<Partial<Record<RouteKey, RoutedFunction | DeclaredRoute>>>
  readonly triggers?: Readonly<Record<string, DeclaredTrigger>>
  /**
   * What functions log of errors that are not of the taxonomy. `'full'` has their messages, which may quote rows, URLs
   * with passwords and customers' texts; never in Cause or history. @default name, code and where it was thrown
   */
  readonly logging?: { readonly errorMessages: 'full' }
  /** What answers for AWS services on one machine, exported by `src/stand-ins/index.ts`: `import * as standIns`. */
  readonly standIns?: Readonly<Record<string, DeclaredStandIn>>
  readonly metrics?: Readonly<Record<string, DeclaredMetric>>
  readonly alarms?: Readonly<Record<string, DeclaredAlarm>>
}

export interface DeclaredWorkflow extends Omit<WorkflowDeclaration, 'substitutions' | 'known' | 'input'> {
  /** What an execution is started with. */
  readonly input?: StandardSchemaV1 | WorkflowDeclaration['input']
  /** What stands for `${Name}`, where it is not a function of that name. */
  readonly substitutions?: Readonly<Record<string, DeclaredSubstitution>>
  /**
   * What expressions of the definition can be at run time, where a permission depends on it:
   * `{ '$.s3.bucket': input, '$.manifest.key': 'chunks/*' }`. @default anything
   */
  readonly known?: Readonly<Record<string, DeclaredSubstitution>>
}

export type DeclaredSubstitution =
  | string
  | BucketResource
  | TableResource
  | QueueResource
  | GlueJobResource
  | CatalogDatabaseResource
  | AppResource<'workflow'>
  | AnyFunction<'call'>

export type RoutedFunction = AnyFunction<'http' | 'stream'>

export interface DeclaredRoute {
  readonly function: RoutedFunction
  /** Whether a caller needs a token. @default true */
  readonly authorized?: boolean
}

export type DeclaredTrigger =
  | (DeclaredSource &
      ({ readonly calls: AnyFunction<'call' | 'event'> } | { readonly starts: AppResource<'workflow'> }))
  | { readonly queue: QueueResource; readonly batchSize?: number; readonly calls: AnyFunction<'sqs'> }
  | { readonly stream: TableResource; readonly batchSize?: number; readonly calls: AnyFunction<'dynamodb'> }

export type DeclaredSource =
  | {
      readonly objectCreated: {
        readonly bucket: BucketResource
        readonly prefix?: string
        readonly suffix?: string
      }
    }
  /** Without an input, the target gets EventBridge's scheduled event. */
  | { readonly schedule: Schedule; readonly input?: unknown }
  | { readonly event: EventPattern }

export interface DeclaredMetric extends Omit<MetricDeclaration, 'by'> {
  /** The functions that publish it: an alarm on it has to know. */
  readonly by?: readonly AnyFunction[]
}

export interface DeclaredAlarm extends Omit<AlarmDeclaration, 'metric'> {
  readonly metric:
    | (Omit<Extract<AlarmMetric, { workflow: string }>, 'workflow'> & {
        readonly workflow: AppResource<'workflow'>
      })
    | (Omit<Extract<AlarmMetric, { function: string }>, 'function'> & { readonly function: AnyFunction })
    | (Omit<Extract<AlarmMetric, { queue: string }>, 'queue'> & { readonly queue: QueueResource })
    | Extract<AlarmMetric, { metric: string }>
}

export function routeOf(declared: RoutedFunction | DeclaredRoute): DeclaredRoute {
  return 'facts' in declared ? { function: declared } : declared
}
