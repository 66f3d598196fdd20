import pg from 'pg'
import { expect, it } from 'vitest'
import { testDatabase } from './test-database.ts'

const { url, name } = await testDatabase()
const other = await testDatabase()

it('gives a database of its own to each caller', async () => {
  const pool = new pg.Pool({ connectionString: url })
  await pool.query('create table only_here (n int)')
  const { rows } = await pool.query('select current_database() as name')
  expect(rows).toEqual([{ name }])
  await pool.end()
  const elsewhere = new pg.Pool({ connectionString: other.url })
  await expect(elsewhere.query('select * from only_here')).rejects.toMatchObject({ code: '42P01' })
  await elsewhere.end()
})
