import { createPostgresIdempotencyStore, idempotencySql } from '@stepwright/idempotency/postgres'
import pg from 'pg'

const pool = new pg.Pool()
await pool.query(idempotencySql())
const store = createPostgresIdempotencyStore({ client: pool })

export { store }
