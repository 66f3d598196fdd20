export { countDays, dayBefore, daysBetween, isDay } from './calendar.ts'
export { type JsonObjects, type ObjectOptions, type Replaceable, updateJson } from './json-objects.ts'
export {
  createPartitionLock,
  holdLock,
  type LockDuration,
  type LockedKey,
  type LockStore,
  type PartitionLock,
  type PartitionLockOptions,
} from './partition-lock.ts'
export {
  clearRuns,
  type Publication,
  type Published,
  type PublishedRun,
  publishRun,
  type RunFiles,
} from './publish.ts'
export {
  type Column,
  diffSchemas,
  readFingerprint,
  type SchemaDiff,
  type SchemaFingerprint,
  schemaHash,
} from './schema-contract.ts'
