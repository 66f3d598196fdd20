import {
  type AppResource,
  type Binding,
  bindFrom,
  type Rights,
  reference,
  type TableResource,
} from '@stepwright/app/bindings'
import type { IdempotencyStore } from './idempotency-store.ts'
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
