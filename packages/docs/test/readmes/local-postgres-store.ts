import { testDatabase } from '@stepwright/local-postgres/vitest'
import pg from 'pg'
import { afterAll } from 'vitest'

const { url } = await testDatabase()
const pool = new pg.Pool({ connectionString: url })
afterAll(() => pool.end())
