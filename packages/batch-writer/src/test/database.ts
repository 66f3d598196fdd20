import { testDatabase } from '@stepwright/local-postgres/vitest'
import pg from 'pg'
import { afterAll } from 'vitest'
import { ledgerSql } from '../postgres/ledger.ts'

export interface TestTables {
  readonly url: string
  readonly pool: pg.Pool
  query<Row extends object = Record<string, unknown>>(sql: string): Promise<Row[]>
  /** Creates a table of a name that no other test uses; `$` in the definition stands for the name. */
  createTable(definition: string): Promise<string>
}

/** A database with a ledger, for one test file. */
export async function testTables(connections = 10): Promise<TestTables> {
  const { url } = await testDatabase()
  const pool = new pg.Pool({ connectionString: url, max: connections })
  afterAll(() => pool.end())
  await pool.query(ledgerSql())
  let tables = 0
  return {
    url,
    pool,
    async query<Row extends object>(sql: string) {
      return (await pool.query<Row>(sql)).rows
    },
    async createTable(definition) {
      tables += 1
      const name = `table_${tables}`
      await pool.query(`CREATE TABLE ${name} ${definition.replaceAll('$', name)}`)
      return name
    },
  }
}
