import type { IdempotencyStore } from '@stepwright/idempotency'

declare const store: IdempotencyStore
declare function charge(order: { id: string }): Promise<{ receipt: string }>

import { makeIdempotent } from '@aws-lambda-powertools/idempotency'
import { createPersistenceLayer } from '@stepwright/idempotency/powertools'
export const handler = makeIdempotent(charge, {
  persistenceStore: createPersistenceLayer({ store, namespace: 'charge' }),
})
