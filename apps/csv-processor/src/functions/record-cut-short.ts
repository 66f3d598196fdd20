import { lambda } from '@stepwright/app/functions'
import { auditLog } from '@stepwright/audit-log/bindings'
import { recordCutShort } from '../record-cut-short.ts'
import { audit, auditKeys, sealKeys } from '../resources.ts'
import { trailSeconds } from '../user-activity.ts'

/** After an execution that no state of its own could end: it records one entry and seals. */
export const RecordCutShort = lambda(
  recordCutShort,
  { audit: auditLog({ table: audit, keys: auditKeys, sealKeys, ttlSeconds: trailSeconds }) },
  { timeoutSeconds: 60 },
)
