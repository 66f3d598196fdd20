import { DatabaseConnectionError, TemporaryError, toDatabaseError } from '@stepwright/errors'
import { defineTask, type Task } from '@stepwright/task'
import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import * as z from 'zod/mini'

type Migrations = Readonly<Record<string, Migration>>

export interface MigrateDatabaseOptions {
  /** By names that sort as the migrations came; a function keeps them out of what is read when a process starts. */
  readonly migrations: Migrations | (() => Promise<Migrations>)
  /** Where those that are done are noted; apps that share a database have tables of their own. */
  readonly migrationTableName: string
}

export interface MigrateDatabasePorts {
  readonly db: Kysely<unknown>
}

/** A task for deployments: brings a database's tables up to date, before anything else runs. */
export function migrateDatabase({
  migrations,
  migrationTableName,
}: MigrateDatabaseOptions): Task<unknown, { readonly applied: readonly string[] }, MigrateDatabasePorts> {
  return defineTask({
    name: 'migrate-database',
    description: 'Applies the migrations that a database does not have yet, in their order.',
    needs: {
      ports: { db: 'The database, as a user who may change tables.' },
      permissions: [{ actions: ['rds-db:connect'], on: 'the database user, where it signs in by IAM' }],
    },
    idempotent: true,
    input: z.unknown(),
    output: z.object({ applied: z.array(z.string()) }),
    errors: [DatabaseConnectionError, TemporaryError],
    async run(_, { db }: MigrateDatabasePorts) {
      const { Migrator } = await import('kysely/migration')
      const all = typeof migrations === 'function' ? await migrations() : migrations
      const migrator = new Migrator({
        db,
        provider: { getMigrations: async () => ({ ...all }) },
        migrationTableName,
        migrationLockTableName: `${migrationTableName}_lock`,
      })
      const { error, results = [] } = await migrator.migrateToLatest()
      if (error !== undefined) throw toDatabaseError(error)
      return { applied: results.map(({ migrationName }) => migrationName) }
    },
  })
}
