import { IdempotencyConfig, makeIdempotent } from '@aws-lambda-powertools/idempotency'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { createDynamoDbIdempotencyStore } from '@stepwright/idempotency/dynamodb'
import { createPersistenceLayer } from '@stepwright/idempotency/powertools'

const persistenceStore = createPersistenceLayer({
  store: createDynamoDbIdempotencyStore({ client: new DynamoDBClient(), tableName: 'idempotency' }),
  namespace: process.env['AWS_LAMBDA_FUNCTION_NAME'] ?? 'charge', // where Powertools' own keys begin
})
const config = new IdempotencyConfig({ eventKeyJmesPath: 'orderId', expiresAfterSeconds: 3600 })

async function charge(order: { orderId: string; amount: number }) {
  return { receipt: `receipt for ${order.orderId}` }
}

export const handler = makeIdempotent(charge, { persistenceStore, config })
