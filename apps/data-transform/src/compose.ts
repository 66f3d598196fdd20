import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { SFNClient } from '@aws-sdk/client-sfn'
import { createDynamoDbIdempotencyStore } from '@stepwright/idempotency/dynamodb'
import { createStepFunctionsExecutions } from '@stepwright/idempotency/step-functions'
import type { StartExecutionPorts } from '@stepwright/idempotency/tasks'
import { createS3ObjectStore } from '@stepwright/object-store/s3'
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

export function composePreflight(settings: z.output<typeof preflightSettings>): PreflightPorts {
  return {
    ...composePublish(settings),
    raw: createS3ObjectStore({ bucket: settings.RAW_BUCKET }),
    rawBucket: settings.RAW_BUCKET,
  }
}

export function composePublish(settings: z.output<typeof publishSettings>): PublishPorts {
  return { ...composeSchema(settings), curatedBucket: settings.CURATED_BUCKET, lock: lockOf(settings) }
}

export function composeFail(settings: z.output<typeof lockSettings>): FailPorts {
  return { lock: lockOf(settings) }
}

export function composeSchema({ CURATED_BUCKET }: z.output<typeof schemaSettings>): SchemaPorts {
  return { curated: createS3ObjectStore({ bucket: CURATED_BUCKET }) }
}

export function composeStarter(settings: z.output<typeof starterSettings>): StartExecutionPorts {
  const executions = createStepFunctionsExecutions({ client: () => new SFNClient({}) })
  const environment = settings.ENVIRONMENT
  return {
    executions: {
      ...executions,
      // The event does not know it.
      start: (request, options) =>
        executions.start({ ...request, input: { environment, ...Object(request.input) } }, options),
    },
    stateMachineArn: settings.STATE_MACHINE_ARN,
  }
}

function lockOf({ LOCK_TABLE, LOCK_SECONDS }: z.output<typeof lockSettings>): PartitionLock {
  return createPartitionLock({
    store: createDynamoDbIdempotencyStore({ client: () => new DynamoDBClient({}), tableName: LOCK_TABLE }),
    tableName: LOCK_TABLE,
    lockSeconds: LOCK_SECONDS,
  })
}
