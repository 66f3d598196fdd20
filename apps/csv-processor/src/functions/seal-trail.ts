import { lambda } from '@stepwright/app/functions'
import { auditLog } from '@stepwright/audit-log/bindings'
import { sealAudit } from '@stepwright/audit-log/tasks'
import { audit, auditKeys, sealKeys } from '../resources.ts'

/** Seals with a key that CsvProcessor, which records, does not have. */
export const SealTrail = lambda(
  sealAudit,
  { audit: auditLog({ table: audit, keys: auditKeys, sealKeys }) },
  { timeoutSeconds: 29 },
)
