import { DatabaseConnectionError, TemporaryError, toDatabaseError } from '@stepwright/errors'
import { defineTask, type Task } from '@stepwright/task'
import type { Kysely } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import * as z from 'zod/mini'

export interface MigrateDatabaseOptions {
  /** By names that sort as the migrations came. */
  readonly migrations: Readonly<Record<string, Migration>>
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
      const migrator = new Migrator({
        db,
        provider: { getMigrations: async () => ({ ...migrations }) },
        migrationTableName,
        migrationLockTableName: `${migrationTableName}_lock`,
      })
      const { error, results = [] } = await migrator.migrateToLatest()
      if (error !== undefined) throw toDatabaseError(error)
      return { applied: results.map(({ migrationName }) => migrationName) }
    },
  })
}
