import { lambda } from '@stepwright/app/functions'
import { expiredKeys } from '@stepwright/idempotency/bindings'
import { purgeKeys } from '@stepwright/idempotency/tasks'
import { pool } from './bindings.ts'

export const PurgeKeys = lambda(purgeKeys, { deleteExpired: expiredKeys(pool) }, { timeoutSeconds: 280 })
