export {
  type Binding,
  type Bindings,
  bindFrom,
  binding,
  type Needs,
  type Opened,
} from './bindings/binding.ts'
export { coversKey } from './bindings/covered-key.ts'
export { reference } from './bindings/reference.ts'
export {
  type AppResource,
  api,
  type BucketResource,
  bucket,
  type CatalogDatabaseResource,
  type ConfigurationSetResource,
  catalogDatabase,
  configurationSet,
  database,
  deadLettersOf,
  type GlueJobResource,
  glueJob,
  type QueueResource,
  queue,
  type ResourceKind,
  type Rights,
  type SecretResource,
  secret,
  type TableResource,
  table,
  workflow,
} from './bindings/resource.ts'
export { type SettingOptions, setting } from './bindings/setting.ts'
export { inspectShown, showing } from './bindings/showing.ts'
export type { Inspected, InspectedJob, Shown } from './bindings/shown.ts'
