export type { AuditEntry, AuditFields, LogType, NewAuditEntries, NewAuditEntry } from './audit-entry.ts'
export { type AuditKey, type AuditKeys, parseAuditKeys } from './audit-keys.ts'
export { type AuditLog, type AuditLogOptions, createAuditLog } from './audit-log.ts'
export type { AuditProblem, AuditProblemKind } from './audit-problem.ts'
export type { AuditStore, EntryQuery, PackQuery, SealStore } from './audit-store.ts'
export type { CutMarker } from './cut-to-size.ts'
export { AuditVerificationError } from './errors.ts'
export type { ItemRange } from './item-range.ts'
export type { PackHead, PackRecord } from './pack/pack-record.ts'
export type { ChainHead, SealRecord } from './records.ts'
export { createRedactor, type Redactor, type RedactorOptions } from './redact.ts'
export type { SealOptions } from './seal-execution.ts'
export {
  createSecretsManagerKeys,
  type GetSecretValue,
  type SecretsManagerKeysOptions,
} from './secrets-manager-keys.ts'
export type { VerifyOptions, VerifyResult } from './verify-execution.ts'
