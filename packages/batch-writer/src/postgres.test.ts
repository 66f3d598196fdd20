import { createPostgresSink, ledgerSql } from './postgres.ts'
import { testTables } from './test/database.ts'
import { type ContractRow, testRowSink } from './testing.ts'

const { pool, query, createTable } = await testTables()

for (const path of ['auto', 'probe', 'stage', 'unnest', 'copy'] as const) {
  testRowSink(`the PostgreSQL sink by way of ${path}`, async conflict => {
    const table = await createTable('(id int PRIMARY KEY, area int, name text NOT NULL, visits int)')
    const ledger = `ledger_of_${table}`
    await query(ledgerSql(ledger))
    const create = () =>
      createPostgresSink<Record<string, ContractRow>>({
        pool,
        table,
        columns: ['id', 'area', 'name', 'visits'],
        conflict,
        ledger,
        path,
        deleteBatchSize: 2,
      })
    return { sink: create(), other: create(), stored: () => query(`SELECT * FROM ${table} ORDER BY id`) }
  })
}
