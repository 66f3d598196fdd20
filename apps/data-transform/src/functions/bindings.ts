import { bindFrom, reference, setting } from '@stepwright/app/bindings'
import { idempotencyStore } from '@stepwright/idempotency/bindings'
import * as z from 'zod/mini'
import { createDayLock } from '../partition-lock.ts'
import { locks } from '../resources.ts'

export const wholeNumber = z.coerce.number().check(z.int(), z.positive())

/** One execution at a time for each partition. */
export const lock = bindFrom(
  {
    store: idempotencyStore(locks, 'write'),
    tableName: reference(locks, 'write'),
    /** How long an execution that was stopped blocks its partitions. */
    lockSeconds: setting('LOCK_SECONDS', z._default(wholeNumber, 900)),
  },
  createDayLock,
)
