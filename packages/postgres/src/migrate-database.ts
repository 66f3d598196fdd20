import {
  DatabaseConnectionError,
  isTaskError,
  type TaskError,
  TemporaryError,
  UnexpectedError,
} from '@stepwright/errors'
import { toDatabaseError } from '@stepwright/errors/postgres'
import { defineTask, type Task } from '@stepwright/task'
import type { Kysely, KyselyPlugin, PostgresPool, RootOperationNode } from 'kysely'
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
  readonly pool: PostgresPool
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
      ports: { pool: 'The database, as a user who may change tables.' },
      permissions: [{ actions: ['rds-db:connect'], on: 'the database user, where it signs in by IAM' }],
    },
    idempotent: true,
    input: z.unknown(),
    output: z.object({ applied: z.array(z.string()) }),
    errors: [DatabaseConnectionError, TemporaryError],
    async run(_, { pool }: MigrateDatabasePorts) {
      const [{ Migrator }, { Kysely: Builder, PostgresDialect }] = await Promise.all([
        import('kysely/migration'),
        import('./query-builder.ts'),
      ])
      const db = new Builder<unknown>({ dialect: new PostgresDialect({ pool }) })
      const all = typeof migrations === 'function' ? await migrations() : migrations
      let last: RootOperationNode | undefined
      const migrator = new Migrator({
        db,
        provider: { getMigrations: async () => withStatements(all, node => (last = node)) },
        migrationTableName,
        migrationLockTableName: `${migrationTableName}_lock`,
      })
      const { error, results = [] } = await migrator.migrateToLatest()
      if (error !== undefined) {
        const failed = results.find(({ status }) => status === 'Error')?.migrationName
        throw toMigrationError(error, failed, failed && last && statementOf(db, last))
      }
      return { applied: results.map(({ migrationName }) => migrationName) }
    },
  })
}

/** Notes each statement of the migrations before it runs. */
function withStatements(
  migrations: Migrations,
  onStatement: (node: RootOperationNode) => void,
): Record<string, Migration> {
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      onStatement(node)
      return node
    },
    transformResult: async ({ result }) => result,
  }
  const noted = ({ up, ...migration }: Migration): Migration => ({
    ...migration,
    up: db => up(db.withPlugin(plugin)),
  })
  return Object.fromEntries(Object.entries(migrations).map(([name, each]) => [name, noted(each)]))
}

const maxStatement = 200

function statementOf(db: Kysely<unknown>, node: RootOperationNode): string {
  const { sql } = db.getExecutor().compileQuery(node, { queryId: 'failed' })
  const line = sql.replaceAll(/\s+/g, ' ').trim()
  return line.length > maxStatement ? `${line.slice(0, maxStatement)}…` : line
}

function toMigrationError(
  error: unknown,
  name: string | undefined,
  statement: string | undefined,
): TaskError {
  const failure = toDatabaseError(error)
  if (name === undefined) return failure
  const classes = [DatabaseConnectionError, TemporaryError] as const
  const Known = classes.find(each => isTaskError(failure, each)) ?? UnexpectedError
  const at = statement === undefined ? '' : ` at the statement "${statement}"`
  return new Known(`migration "${name}" failed${at}: ${failure.message}`, { cause: error })
}
