import { ledgerSql } from './postgres/ledger.ts'
import { createPostgresChunkLedger, createPostgresRowSink } from './postgres.ts'
import { testTables } from './test/database.ts'
import { type ContractRow, testChunkLedger, testRowSink } from './testing.ts'

const { pool, query, createTable } = await testTables()

for (const path of ['auto', 'probe', 'stage', 'unnest', 'copy'] as const) {
  testRowSink(`the PostgreSQL sink by way of ${path}`, async conflict => {
    const table = await createTable('(id int PRIMARY KEY, area int, name text NOT NULL, visits int)')
    const ledger = `ledger_of_${table}`
    await query(ledgerSql(ledger))
    const create = () =>
      createPostgresRowSink<Record<string, ContractRow>>({
        pool,
        tableName: table,
        columns: ['id', 'area', 'name', 'visits'],
        conflict,
        ledgerTableName: ledger,
        path,
        deleteBatchSize: 2,
      })
    return { sink: create(), other: create(), stored: () => query(`SELECT * FROM ${table} ORDER BY id`) }
  })
}

testChunkLedger('the PostgreSQL ledger', async () => {
  const table = await createTable('(id int PRIMARY KEY, area int, name text NOT NULL, visits int)')
  const tableName = `ledger_of_${table}`
  await query(ledgerSql(tableName))
  const sink = createPostgresRowSink<Record<string, ContractRow>>({
    pool,
    tableName: table,
    columns: ['id', 'area', 'name', 'visits'],
    ledgerTableName: tableName,
  })
  return { sink, ledger: createPostgresChunkLedger({ pool, tableName, deleteBatchSize: 2 }) }
})
