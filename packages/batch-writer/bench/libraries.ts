import { drizzle } from 'drizzle-orm/node-postgres'
import { bigint, pgTable, text } from 'drizzle-orm/pg-core'
import knexOf from 'knex'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import pgPromise from 'pg-promise'
import postgres from 'postgres'
import type { Dataset, Row } from './data.ts'

/** Writes one chunk in one transaction, in statements of `batchSize` rows. */
export type WriteChunk = (rows: Row[], batchSize: number, upsert: boolean) => Promise<unknown>

export interface Library {
  readonly write: WriteChunk
  close(): Promise<unknown>
}

function* batches(rows: Row[], size: number): Generator<Row[]> {
  for (let start = 0; start < rows.length; start += size) yield rows.slice(start, start + size)
}

type Tables = Record<string, Row>

export function kyselyLibrary(url: string, { table, key, updated }: Dataset, connections: number): Library {
  const pool = new pg.Pool({ connectionString: url, max: connections })
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  return {
    close: () => db.destroy(),
    write: (rows, size, upsert) =>
      db.transaction().execute(async transaction => {
        for (const batch of batches(rows, size)) {
          const insert = transaction.insertInto(table).values(batch)
          if (!upsert) await insert.execute()
          else {
            await insert
              .onConflict(conflict => {
                const target = conflict.columns([...key])
                return updated.length === 0
                  ? target.doNothing()
                  : target.doUpdateSet(eb =>
                      Object.fromEntries(updated.map(name => [name, eb.ref(`excluded.${name}` as never)])),
                    )
              })
              .execute()
          }
        }
      }),
  }
}

function pgPromiseLibrary(url: string, { table, columns }: Dataset): Library {
  const pgp = pgPromise({ noWarnings: true })
  const db = pgp(url)
  const set = new pgp.helpers.ColumnSet([...columns], { table })
  return {
    close: async () => db.$pool.end(),
    write: (rows, size) =>
      db.tx(async transaction => {
        for (const batch of batches(rows, size)) await transaction.none(pgp.helpers.insert(batch, set))
      }),
  }
}

function postgresJsLibrary(url: string, { table, columns }: Dataset): Library {
  const db = postgres(url, { max: 1, onnotice: () => {} })
  return {
    close: () => db.end(),
    write: (rows, size) =>
      db.begin(async transaction => {
        for (const batch of batches(rows, size)) {
          await transaction`INSERT INTO ${transaction(table)} ${transaction(batch, ...columns)}`
        }
      }),
  }
}

function knexLibrary(url: string, { table }: Dataset): Library {
  const db = knexOf({ client: 'pg', connection: url, pool: { min: 1, max: 1 } })
  return {
    close: () => db.destroy(),
    write: (rows, size) =>
      db.transaction(async transaction => {
        for (const batch of batches(rows, size)) await transaction(table).insert(batch)
      }),
  }
}

const drizzleRecipients = pgTable('recipients', {
  campaign_id: bigint({ mode: 'number' }),
  email: text(),
  name: text(),
})

function drizzleLibrary(url: string): Library {
  const pool = new pg.Pool({ connectionString: url, max: 1 })
  const db = drizzle(pool)
  return {
    close: () => pool.end(),
    write: (rows, size) =>
      db.transaction(async transaction => {
        for (const batch of batches(rows, size)) await transaction.insert(drizzleRecipients).values(batch)
      }),
  }
}

/** On the recipients only. */
export const otherLibraries: Readonly<Record<string, (url: string, dataset: Dataset) => Library>> = {
  'pg-promise': pgPromiseLibrary,
  'postgres.js': postgresJsLibrary,
  knex: knexLibrary,
  drizzle: drizzleLibrary,
}
