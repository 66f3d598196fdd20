import type { StartExecutionPorts } from '@stepwright/idempotency/tasks'
import type { S3ObjectStore } from '@stepwright/object-store/s3'
import type * as z from 'zod/mini'
import type { SchemaPorts } from './check-schema.ts'
import type { FailPorts } from './fail-partition.ts'
import { createPartitionLock, type PartitionLock } from './partition-lock.ts'
import type { PlanPorts } from './plan-transform.ts'
import type { PreflightPorts } from './preflight.ts'
import type { PublishPorts } from './publish-partition.ts'
import type {
  lockSettings,
  planSettings,
  preflightSettings,
  publishSettings,
  schemaSettings,
  starterSettings,
} from './settings.ts'

export function composePlan({ RAW_BUCKET, MAX_DAYS }: z.output<typeof planSettings>): PlanPorts {
  return { limits: { rawBucket: RAW_BUCKET, maxDays: MAX_DAYS } }
}

export async function composePreflight(
  settings: z.output<typeof preflightSettings>,
): Promise<PreflightPorts> {
  return {
    ...(await composePublish(settings)),
    raw: await storeOf(settings.RAW_BUCKET),
    rawBucket: settings.RAW_BUCKET,
  }
}

export async function composePublish(settings: z.output<typeof publishSettings>): Promise<PublishPorts> {
  const [schema, lock] = await Promise.all([composeSchema(settings), lockOf(settings)])
  return { ...schema, curatedBucket: settings.CURATED_BUCKET, lock }
}

export async function composeFail(settings: z.output<typeof lockSettings>): Promise<FailPorts> {
  return { lock: await lockOf(settings) }
}

export async function composeSchema({
  CURATED_BUCKET,
}: z.output<typeof schemaSettings>): Promise<SchemaPorts> {
  return { curated: await storeOf(CURATED_BUCKET) }
}

export async function composeStarter(
  settings: z.output<typeof starterSettings>,
): Promise<StartExecutionPorts> {
  const [{ createWorkflowExecutions }, { createStepFunctionsExecutions }, { SFNClient }] = await Promise.all([
    import('@stepwright/idempotency'),
    import('@stepwright/idempotency/step-functions'),
    import('./sdk/step-functions.ts'),
  ])
  const executions = createWorkflowExecutions({
    executions: createStepFunctionsExecutions({ client: () => new SFNClient({}) }),
    stateMachineArn: settings.STATE_MACHINE_ARN,
  })
  const environment = settings.ENVIRONMENT
  return {
    workflow: {
      // The event does not know it.
      start: (request, options) =>
        executions.start({ ...request, input: { environment, ...Object(request.input) } }, options),
    },
  }
}

// SDKs are loaded when the first event has come: a function starts the sooner.

async function storeOf(bucket: string): Promise<S3ObjectStore> {
  const { createS3ObjectStore } = await import('@stepwright/object-store/s3')
  return createS3ObjectStore({ bucket })
}

async function lockOf({ LOCK_TABLE, LOCK_SECONDS }: z.output<typeof lockSettings>): Promise<PartitionLock> {
  const [{ createDynamoDbIdempotencyStore }, { DynamoDBClient }] = await Promise.all([
    import('@stepwright/idempotency/dynamodb'),
    import('./sdk/dynamodb.ts'),
  ])
  return createPartitionLock({
    store: createDynamoDbIdempotencyStore({ client: () => new DynamoDBClient({}), tableName: LOCK_TABLE }),
    tableName: LOCK_TABLE,
    lockSeconds: LOCK_SECONDS,
  })
}
