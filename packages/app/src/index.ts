export type { AlarmDeclaration, AlarmMetric, MetricDeclaration } from './alarm.ts'
export type { App } from './app.ts'
export { assertVariablesSize } from './assert-deployable.ts'
export type { AppDeclaration } from './declare/app-declaration.ts'
export { defineApp } from './define-app.ts'
export {
  type BucketAccess,
  type EnvironmentValue,
  type FunctionDeclaration,
  type FunctionPermission,
  functionDefaults,
  type QueueAccess,
  type TableAccess,
  type WorkflowAccess,
} from './function.ts'
export { type PhysicalNames, physicalNames } from './physical-names.ts'
export { type Places, resolveEnvironment, resolveSubstitutions, resolveValue } from './resolve.ts'
export {
  type Bucket,
  type CatalogDatabase,
  type ConfigurationSet,
  type GlueJob,
  type Queue,
  queueDefaults,
  type Resources,
  type Secret,
  type Table,
} from './resources.ts'
export type { HttpMethod, RouteDeclaration, RouteKey } from './route.ts'
export type { StandInDeclaration, StandInKey } from './stand-in.ts'
export {
  type EventFilter,
  type EventPattern,
  hasStream,
  isRuleTrigger,
  objectCreatedPattern,
  type Schedule,
  streamDefaults,
  type TriggerDeclaration,
  type TriggerSource,
  type TriggerTarget,
} from './trigger.ts'
export type { AcceptedFinding, Substitution, WorkflowDeclaration } from './workflow.ts'
