import { fileURLToPath } from 'node:url'
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { auditTable } from '@stepwright/audit-log/dynamodb'
import type { CloudConfig } from '@stepwright/cli'
import { executionName } from '@stepwright/idempotency'
import { toLambdaHandler } from '@stepwright/task/lambda'
import { type ComposedPorts, compose, toSettings } from './compose.ts'
import { csvProcessor } from './csv-processor.ts'
import { migrateDatabase } from './migrations.ts'

export const stateMachineName = 'csv-parallel-processing-workflow'
export const inputBucket = 'csv-processing-bucket'
export const outputBucket = 'csv-processing-output-bucket'
export const auditTableName = 'csv-processing-audit'

/** Signs the trails of this machine, and of no other. */
const auditKeys = `local:${Buffer.alloc(32, 'csv-processor').toString('base64')}`

export interface LocalCloudChanges {
  /** Another state machine, for comparison. @default the one that is deployed */
  readonly definition?: string | object
  /** What is called in place of the function. @default the function in this process */
  readonly handler?: (event: unknown, context: unknown) => unknown
}

/** What the app has in AWS, for this machine: the function, state machine and rule that are deployed. */
export function localCloud(changes: LocalCloudChanges = {}): CloudConfig {
  const definition = fileURLToPath(new URL(`../${stateMachineName}.asl.json`, import.meta.url))
  return {
    buckets: [inputBucket, outputBucket],
    environment: {
      AUDIT_TABLE_NAME: auditTableName,
      AUDIT_KEYS: auditKeys,
      DATABASE_CONNECTIONS: '5',
      POWERTOOLS_LOG_LEVEL: 'CRITICAL',
      POWERTOOLS_METRICS_DISABLED: 'true',
    },
    functions: {
      'csv-processor': { handler: changes.handler ?? createLocalHandler(), timeoutSeconds: 300 },
    },
    stateMachines: {
      [stateMachineName]: {
        definition: changes.definition ?? definition,
        substitutions: {
          CsvProcessorFunctionArn: 'arn:aws:lambda:us-east-1:000000000000:function:csv-processor',
          OutputBucket: outputBucket,
        },
      },
    },
    rules: [{ bucket: inputBucket, prefix: 'data/', stateMachine: stateMachineName, executionName }],
    async prepare({ postgres }) {
      await migrateDatabase(postgres.url)
      const dynamoDb = new DynamoDBClient({})
      await dynamoDb.send(new CreateTableCommand(auditTable({ tableName: auditTableName })))
      dynamoDb.destroy()
    },
  }
}

/** The ports of this machine's cloud, while it runs: to look at what the function has done. */
export function composeLocally(): ComposedPorts {
  return compose(toSettings(process.env))
}

/** A function of its own for every cloud, made at the first call: by then the environment is that cloud's. */
function createLocalHandler(): (event: unknown, context: unknown) => unknown {
  let handler: ReturnType<typeof toLambdaHandler> | undefined
  return (event, context) => {
    handler ??= toLambdaHandler(csvProcessor, { ports: composeLocally })
    return handler(event as never, context as never)
  }
}
