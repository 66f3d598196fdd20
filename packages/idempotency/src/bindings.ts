import {
  type AppResource,
  type Binding,
  bindFrom,
  type Rights,
  reference,
  type TableResource,
} from '@stepwright/app/bindings'
import type { IdempotencyStore } from './idempotency-store.ts'
import type { PostgresIdempotencyStoreOptions } from './postgres-store.ts'
import type { PurgeKeysPorts } from './purge-keys.ts'
import { createWorkflowExecutions, type WorkflowExecutions } from './workflow-executions.ts'

/** The executions of a workflow, with the methods that the rights allow: `executions(importing, 'start')`. */
export function executions<Right extends keyof WorkflowExecutions>(
  workflow: AppResource<'workflow'>,
  ...may: readonly Right[]
): Binding<Pick<WorkflowExecutions, Right>> {
  return bindFrom(reference(workflow, ...may), async stateMachineArn => {
    const [{ SFNClient }, { createStepFunctionsExecutions }] = await Promise.all([
      import('./sfn-client.ts'),
      import('./step-functions-executions.ts'),
    ])
    return createWorkflowExecutions({
      executions: createStepFunctionsExecutions({ client: () => new SFNClient({}) }),
      stateMachineArn,
    })
  })
}

/** Keys and locks in a DynamoDB table of `idempotencyTable`. */
export function idempotencyStore(
  table: TableResource,
  ...may: readonly Rights['table'][]
): Binding<IdempotencyStore> {
  return bindFrom(reference(table, ...may), async tableName => {
    const [{ DynamoDBClient }, { createDynamoDbIdempotencyStore }] = await Promise.all([
      import('./dynamodb-client.ts'),
      import('./dynamodb-store.ts'),
    ])
    return createDynamoDbIdempotencyStore({ client: () => new DynamoDBClient({}), tableName })
  })
}

type Pool = Binding<PostgresIdempotencyStoreOptions['pool']>
type TableOptions = Pick<PostgresIdempotencyStoreOptions, 'tableName'>

/** Keys and locks in a PostgreSQL table of `createIdempotencyMigration`: `idempotencyKeys(postgres(db))`. */
export function idempotencyKeys(pool: Pool, options: TableOptions = {}): Binding<IdempotencyStore> {
  return bindFrom(pool, async opened => {
    const { createPostgresIdempotencyStore } = await import('./postgres-store.ts')
    return createPostgresIdempotencyStore({ ...options, pool: opened })
  })
}

/** What `purgeKeys` needs to delete the expired keys of that table. */
export function expiredKeys(
  pool: Pool,
  options: TableOptions = {},
): Binding<PurgeKeysPorts['deleteExpired']> {
  return bindFrom(pool, async opened => {
    const { deleteExpiredKeys } = await import('./postgres-store.ts')
    return limit => deleteExpiredKeys({ ...options, pool: opened }, limit)
  })
}
