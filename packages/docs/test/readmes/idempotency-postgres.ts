import { createPostgresIdempotencyStore } from '@stepwright/idempotency/postgres'
import pg from 'pg'

const store = createPostgresIdempotencyStore({ pool: new pg.Pool() })

export { store }
